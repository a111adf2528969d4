#!/usr/bin/env node
/** Checks the version of Node before anything that an old one cannot read. Nothing newer than ES5 in this file. */
'use strict'

var version = process.versions.node.split('.').map(Number)

if (version[0] > 22 || (version[0] === 22 && version[1] >= 13)) {
  require('./run.cjs')
} else {
  console.error('purchase-widget needs Node 22.13 or newer, and this is Node ' + process.versions.node + '.')
  process.exitCode = 1
}

#!/usr/bin/env node
/** Checks the version of Node before anything that an old one cannot read. Nothing newer than ES5 in this file. */
'use strict'

if (Number(process.versions.node.split('.')[0]) >= 22) {
  require('./run.cjs')
} else {
  console.error('purchase-widget needs Node 22 or newer, and this is Node ' + process.versions.node + '.')
  process.exitCode = 1
}

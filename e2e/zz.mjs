import { createServer } from 'node:http'
import { chromium } from '@playwright/test'

const which = process.argv[2]
const server = createServer((q, r) => {
  r.setHeader('content-type', 'text/html')
  const p = server.address().port
  r.end(
    q.url === '/w'
      ? '<h1>W</h1>'
      : q.url === '/ret'
        ? '<h1>ret</h1>'
        : `<h1>x</h1><iframe src="http://127.0.0.1:${p}/w"></iframe>`,
  )
}).listen(0)
const port = server.address().port
const base =
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,BlockOriginHeaderModificationOnRedirect,AvoidCorsURLLoaderRestartOnRedirect,Translate,AutoDeElevate,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion'
const extra = { a: [], b: [`--disable-features=${base},SpareRendererForSitePerProcess`] }[which]
const b = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', ...extra],
  ignoreDefaultArgs: ['--disable-popup-blocking', '--disable-back-forward-cache'],
})
for (let i = 0; i < 12; i++) {
  const c = await b.newContext()
  const p = await c.newPage()
  await p.goto(`http://localhost:${port}/`)
  await p.frameLocator('iframe').locator('h1').waitFor()
  await p.goto(`http://localhost:${port}/ret`)
  await c.close()
}
await b.close()
server.close()

/** The look of the API reference. */
export const docsCss: string = `
:root { color-scheme: light dark; --ink: light-dark(#1c1b22, #eceaf3); --soft: light-dark(#5d5a6b, #a5a2b5);
  --line: light-dark(#e3e1ea, #34323e); --ground: light-dark(#fff, #17161c); --raised: light-dark(#f7f6fa, #201f27);
  --accent: light-dark(#5b3fd6, #a996ff); }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--ground);
  display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1.25rem; border-right: 1px solid var(--line); }
nav h2 { margin: 0 0 .4rem; font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav ul { margin: 0 0 1.5rem; padding: 0; list-style: none; }
nav a { display: block; padding: .2rem 0; color: inherit; text-decoration: none; font-size: .92rem; }
nav a:hover, nav a:focus-visible { color: var(--accent); }
main { padding: 2.5rem clamp(1rem, 4vw, 4rem); max-width: 62rem; }
header { padding-bottom: 1.5rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { margin: 0 0 .5rem; font-size: 1.3rem; letter-spacing: -.01em; }
h3 { margin: 1.4rem 0 .4rem; font-size: .95rem; color: var(--soft); font-weight: 600; }
p { margin: .3rem 0; }
section { padding: 2rem 0; border-top: 1px solid var(--line); }
a { color: var(--accent); }
.links a { margin-right: 1rem; }
code, pre { font: .88rem/1.5 ui-monospace, monospace; }
.address { overflow-wrap: anywhere; }
.address b { display: inline-block; min-width: 4.2rem; padding: .1rem .5rem; border-radius: .4rem; text-align: center;
  font: 600 .78rem/1.6 ui-monospace, monospace; text-transform: uppercase; color: #fff; background: #3d6fd8; }
.address b.post { background: #1d7a4c; } .address b.patch, .address b.put { background: #94600b; }
.address b.delete { background: #b3363c; }
pre { margin: .3rem 0; padding: .9rem 1rem; overflow-x: auto; border-radius: .6rem; background: var(--raised);
  border: 1px solid var(--line); }
summary { cursor: pointer; color: var(--soft); font-size: .92rem; }
dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1.25rem; }
dt { color: var(--soft); } dd { margin: 0; }
@media (max-width: 48rem) { body { display: block; } nav { position: static; height: auto; border-right: 0;
  border-bottom: 1px solid var(--line); } nav ul { columns: 2; } dl { display: block; } }
`

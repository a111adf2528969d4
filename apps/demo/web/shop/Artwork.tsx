/** The picture of each product. */
import type { ReactNode } from 'react'
import './artwork.css'

/** The picture of a product: a few flat shapes in the shop's colours, drawn here so that nothing has to be loaded. */
export function Artwork({ productId }: { productId: string }): ReactNode {
  return (
    <svg className="artwork" viewBox="0 0 200 200" aria-hidden="true">
      {drawings[productId] ?? <Coins count={3} />}
    </svg>
  )
}

const drawings: Record<string, ReactNode> = {
  'gold-100': <Coins count={3} />,
  'gold-550': <Coins count={7} />,
  'gold-1200': <Chest />,
  'skin-aurora': <Cloak />,
  'season-pass': <Ticket />,
  'north-keep': <Keep />,
  'first-crown': <Crown />,
  'club-monthly': <Lantern />,
  'club-yearly': <LanternYear />,
  btc: <Token glyph={<BitcoinGlyph />} />,
  eth: <Token glyph={<EtherGlyph />} />,
  usdc: <Token glyph={<DollarGlyph />} />,
}

/** Coins in stacks of up to three, seen from a little above. */
function Coins({ count }: { count: number }): ReactNode {
  const stacks = count > 3 ? [2, 3, 2] : [1, 2]
  const step = 58
  const left = 100 - ((stacks.length - 1) * step) / 2
  return stacks.flatMap((height, stack) =>
    Array.from({ length: height }, (_, level) => (
      <Coin key={`${stack}-${level}`} x={left + stack * step} y={138 - level * 24} />
    )),
  )
}

function Coin({ x, y }: { x: number; y: number }): ReactNode {
  return (
    <g>
      <path className="deep" d={`M${x - 32} ${y}v14a32 14 0 0 0 64 0v-14z`} />
      <ellipse className="glow" cx={x} cy={y} rx="32" ry="14" />
      <ellipse className="edge" cx={x} cy={y} rx="21" ry="8.500" />
    </g>
  )
}

function Chest(): ReactNode {
  return (
    <>
      <path className="leaf" d="M34 96L46 40a12 12 0 0 1 12-10h84a12 12 0 0 1 12 10l12 56z" />
      <path className="shade" d="M48 96L58 50a8 8 0 0 1 8-6h68a8 8 0 0 1 8 6l10 46z" />
      <path className="glow" d="M52 98a48 36 0 0 1 96 0z" />
      <circle className="edge" cx="78" cy="88" r="9" />
      <circle className="edge" cx="104" cy="79" r="10" />
      <circle className="edge" cx="127" cy="89" r="8" />
      <path className="leaf" d="M38 96h124v54a8 8 0 0 1-8 8H46a8 8 0 0 1-8-8z" />
      <path className="moon" d="M38 96h124v10H38z" />
      <path className="moon" d="M88 96h24v30a12 12 0 0 1-24 0z" />
      <path className="night" d="M97 112h6v12h-6z" />
    </>
  )
}

function Cloak(): ReactNode {
  return (
    <>
      <path
        className="leaf"
        d="M100 34c-20 0-30 14-34 34L36 166c42-14 86-14 128 0L134 68c-4-20-14-34-34-34z"
      />
      <path className="glow" d="M70 58c18 24 10 62-6 104l-26 5 28-99z" />
      <path className="moon" d="M92 78c10 26 4 52-4 78l-20 4c16-38 24-66 18-92z" />
      <path className="glow" d="M118 76c-4 30 6 54 18 82l-18-4c-10-26-14-50-10-80z" />
      <ellipse className="night" cx="100" cy="60" rx="19" ry="23" />
      <circle className="glow" cx="100" cy="90" r="6" />
    </>
  )
}

function Ticket(): ReactNode {
  return (
    <g transform="rotate(-12 100 100)">
      <path
        className="moon"
        d="M34 62h132a8 8 0 0 1 8 8v18a12 12 0 0 0 0 24v18a8 8 0 0 1-8 8H34a8 8 0 0 1-8-8v-18a12 12 0 0 0 0-24V70a8 8 0 0 1 8-8z"
      />
      <path className="glow" d="M34 62h92v76H34a8 8 0 0 1-8-8v-18a12 12 0 0 0 0-24V70a8 8 0 0 1 8-8z" />
      <path className="crease" d="M126 66v68" />
      <circle className="night" cx="77" cy="100" r="22" />
      <path className="moon" d="M77 78a22 22 0 0 1 0 44a30 30 0 0 0 0-44z" />
      <path className="tick" d="M140 84h22M140 100h22M140 116h14" />
    </g>
  )
}

function Keep(): ReactNode {
  return (
    <>
      <circle className="halo" cx="100" cy="84" r="70" />
      <path className="shade" d="M30 166l26-34h88l26 34z" />
      <path className="leaf" d="M52 96h20v14h12V96h32v14h12V96h20v62H52z" />
      <path className="moon" d="M76 50h10v10h9V50h10v10h9V50h10v60H76z" />
      <path className="deep" d="M100 20v30h-3V20z" />
      <path className="glow" d="M100 20l28 9l-28 9z" />
      <path className="night" d="M88 158v-24a12 12 0 0 1 24 0v24z" />
      <path className="glow" d="M95 74h10v16H95zM62 122h8v14h-8zM130 122h8v14h-8z" />
    </>
  )
}

function Crown(): ReactNode {
  return (
    <>
      <path className="glow" d="M42 138L34 68l36 30l30-48l30 48l36-30l-8 70z" />
      <path className="deep" d="M42 138h116l-3 20H45z" />
      <circle className="moon" cx="34" cy="64" r="8" />
      <circle className="moon" cx="100" cy="44" r="9" />
      <circle className="moon" cx="166" cy="64" r="8" />
      <circle className="leaf" cx="100" cy="120" r="9" />
      <circle className="night" cx="70" cy="124" r="6" />
      <circle className="night" cx="130" cy="124" r="6" />
    </>
  )
}

function Lantern(): ReactNode {
  return (
    <>
      <circle className="halo" cx="100" cy="108" r="74" />
      <path className="wire" d="M76 54a24 24 0 0 1 48 0" />
      <path className="moon" d="M62 52h76v14H62zM58 152h84v14H58z" />
      <path className="glow" d="M70 66h60l10 86H60z" />
      <path className="edge" d="M100 86c16 20 18 28 18 38a18 18 0 0 1-36 0c0-10 2-18 18-38z" />
      <path className="moon" d="M100 108c7 9 8 13 8 18a8 8 0 0 1-16 0c0-5 1-9 8-18z" />
    </>
  )
}

function LanternYear(): ReactNode {
  const months = Array.from({ length: 12 }, (_, month) => (month * Math.PI) / 6)
  return (
    <>
      <g transform="translate(45 47) scale(0.55)">
        <Lantern />
      </g>
      {months.map((angle, month) => (
        <circle
          key={angle}
          className={month < 10 ? 'glow' : 'leaf'}
          cx={100 + 80 * Math.sin(angle)}
          cy={104 - 80 * Math.cos(angle)}
          r="7"
        />
      ))}
    </>
  )
}

function Token({ glyph }: { glyph: ReactNode }): ReactNode {
  return (
    <>
      <circle className="deep" cx="106" cy="106" r="66" />
      <circle className="glow" cx="98" cy="98" r="66" />
      <circle className="ring" cx="98" cy="98" r="54" />
      <g transform="translate(98 98)">{glyph}</g>
    </>
  )
}

function BitcoinGlyph(): ReactNode {
  return (
    <path
      className="stroke"
      d="M-15 -26H6a13 13 0 0 1 0 26H-15zM-15 0H9a13 13 0 0 1 0 26H-15zM-22 -26H-10M-22 26H-10M-7 -36v10M6 -36v10M-7 26v10M6 26v10"
    />
  )
}

function EtherGlyph(): ReactNode {
  return (
    <>
      <path className="night" d="M0 -42L26 2L0 17L-26 2z" />
      <path className="night" d="M0 26L26 11L0 44L-26 11z" />
    </>
  )
}

function DollarGlyph(): ReactNode {
  return (
    <path
      className="stroke"
      d="M15 -15a15 12 0 0 0-15-10c-22 0-20 25 0 25s22 25 0 25a15 12 0 0 1-15-10M0 -36v72"
    />
  )
}

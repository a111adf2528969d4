/** The picture of each product. */
import type { ReactNode } from 'react'

/** The picture of a product: a few flat shapes in the shop's colours, drawn inline so that nothing has to load. */
export function Artwork({ productId }: { productId: string }): ReactNode {
  return (
    <svg className="artwork" viewBox="0 0 200 200" aria-hidden="true">
      {drawings[productId] ?? <Coins />}
    </svg>
  )
}

const drawings: Record<string, ReactNode> = {
  'gold-100': <Coins />,
  'skin-aurora': <Cloak />,
  'north-keep': <Keep />,
  'club-monthly': <Lantern />,
  btc: <Bitcoin />,
}

/** One coin beside a stack of two, seen from a little above. */
function Coins(): ReactNode {
  return (
    <>
      <Coin x={71} y={138} />
      <Coin x={129} y={138} />
      <Coin x={129} y={114} />
    </>
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

function Bitcoin(): ReactNode {
  return (
    <>
      <circle className="deep" cx="106" cy="106" r="66" />
      <circle className="glow" cx="98" cy="98" r="66" />
      <circle className="ring" cx="98" cy="98" r="54" />
      <g transform="translate(98 98)">
        <path
          className="stroke"
          d="M-15 -26H6a13 13 0 0 1 0 26H-15zM-15 0H9a13 13 0 0 1 0 26H-15zM-22 -26H-10M-22 26H-10M-7 -36v10M6 -36v10M-7 26v10M6 26v10"
        />
      </g>
    </>
  )
}

/** Czech. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Nákup',
  close: 'Zavřít',
  loading: 'Načítání…',
  connecting: 'Stále se připojujeme…',
  cancel: 'Zrušit',
  inOtherWindow: 'Nákup máte otevřený v jiném okně.',
  bringToFront: 'Zobrazit okno',
  windowLost: 'Pokud jste okno s nákupem zavřeli, otevřete ho znovu.',
  finished: 'Mám hotovo',
  trouble: 'Něco nefunguje?',
  notLoading: 'Stránku s nákupem se nepodařilo načíst.',
  failed: 'Nákup se nepodařilo zahájit.',
  notCharged: 'Nic vám nebylo účtováno.',
  retry: 'Zkusit znovu',
  openInNewWindow: 'Otevřít v novém okně',
  confirming: 'Ověřujeme váš nákup…',
  notConfirmed: 'Zatím není známo, zda se nákup podařil.',
  askAgain: 'Ověřit znovu',
  processing: 'Vaše platba se zpracovává. Neplaťte znovu.',
  underReview: 'Zaplaceno. Obchod váš nákup kontroluje.',
  dismiss: 'Skrýt',
}

/** Czech. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Obraťte se na svou banku.'

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
  retry: 'Zkusit znovu',
  openInNewWindow: 'Otevřít v novém okně',
  confirming: 'Ověřujeme váš nákup…',
  notConfirmed: 'Zatím není známo, zda se nákup podařil.',
  askAgain: 'Ověřit znovu',
  processing: 'Vaše platba se zpracovává. Neplaťte znovu.',
  underReview: 'Zaplaceno. Obchod váš nákup kontroluje.',
  dismiss: 'Skrýt',
  declineActions: {
    4000: 'Zkuste to znovu.',
    4001: 'Zadejte znovu bezpečnostní kód.',
    4002: byIssuer,
    4003: 'Zadejte platné údaje karty.',
    4004: 'Vložte peníze na bankovní účet a zkuste to znovu.',
    4005: 'Použijte jinou kartu.',
    4010: byIssuer,
    4011: 'Použijte platnou kartu.',
    4012: byIssuer,
    4013: 'Obraťte se na zákaznickou podporu.',
  },
}

/** What a shopper can do about a declined card, in the languages that the loader has too. */
import type { Language } from './words.ts'

/** By the codes of section 7 of the interface. */
export type DeclineActions = Readonly<Record<string, string>>

/** @param told in the order of the codes; 4002, 4010 and 4012 are all about the card's issuer. */
function actions(
  ...told: readonly [string, string, string, string, string, string, string, string]
): DeclineActions {
  const [again, code, issuer, details, funds, other, valid, support] = told
  return {
    4000: again,
    4001: code,
    4002: issuer,
    4003: details,
    4004: funds,
    4005: other,
    4010: issuer,
    4011: valid,
    4012: issuer,
    4013: support,
  }
}

export const declineActions: Readonly<Record<Language, DeclineActions>> = {
  en: actions(
    'Try again.',
    'Enter the security code again.',
    'Contact your card issuer.',
    'Enter valid card details.',
    'Add funds and try again.',
    'Use a different card.',
    'Provide a valid card.',
    'Contact support.',
  ),
  ar: actions(
    'حاول مرة أخرى.',
    'أدخل رمز الأمان مرة أخرى.',
    'اتصل بالبنك الذي أصدر بطاقتك.',
    'أدخل بيانات بطاقة صحيحة.',
    'أضف رصيدًا إلى بطاقتك ثم حاول مرة أخرى.',
    'استخدم بطاقة أخرى.',
    'استخدم بطاقة صالحة.',
    'اتصل بالدعم.',
  ),
  de: actions(
    'Versuchen Sie es erneut.',
    'Geben Sie den Sicherheitscode erneut ein.',
    'Wenden Sie sich an Ihre Bank.',
    'Geben Sie gültige Kartendaten ein.',
    'Sorgen Sie für ausreichende Kontodeckung und versuchen Sie es erneut.',
    'Verwenden Sie eine andere Karte.',
    'Verwenden Sie eine gültige Karte.',
    'Wenden Sie sich an den Kundenservice.',
  ),
  es: actions(
    'Inténtalo de nuevo.',
    'Vuelve a introducir el código de seguridad.',
    'Ponte en contacto con tu banco.',
    'Introduce datos de tarjeta válidos.',
    'Añade fondos a la tarjeta e inténtalo de nuevo.',
    'Usa otra tarjeta.',
    'Usa una tarjeta válida.',
    'Ponte en contacto con atención al cliente.',
  ),
  fr: actions(
    'Réessayez.',
    'Saisissez à nouveau le code de sécurité.',
    'Contactez votre banque.',
    'Saisissez des informations de carte valides.',
    'Approvisionnez votre compte et réessayez.',
    'Utilisez une autre carte.',
    'Utilisez une carte valide.',
    'Contactez l’assistance.',
  ),
  he: actions(
    'יש לנסות שוב.',
    'יש להזין שוב את קוד האבטחה.',
    'יש לפנות לחברת האשראי.',
    'יש להזין פרטי כרטיס תקינים.',
    'יש להפקיד כסף בחשבון הבנק ולנסות שוב.',
    'יש להשתמש בכרטיס אחר.',
    'יש להשתמש בכרטיס תקף.',
    'יש לפנות לתמיכה.',
  ),
  it: actions(
    'Riprova.',
    'Inserisci di nuovo il codice di sicurezza.',
    'Contatta la tua banca.',
    'Inserisci dati validi della carta.',
    'Aggiungi fondi alla carta e riprova.',
    'Usa un’altra carta.',
    'Usa una carta valida.',
    'Contatta l’assistenza.',
  ),
  ja: actions(
    'もう一度お試しください。',
    'セキュリティコードをもう一度入力してください。',
    'カード発行会社にお問い合わせください。',
    '正しいカード情報を入力してください。',
    '口座に入金してから、もう一度お試しください。',
    '別のカードをご利用ください。',
    '有効なカードをご利用ください。',
    'サポートにお問い合わせください。',
  ),
  nl: actions(
    'Probeer het opnieuw.',
    'Voer de beveiligingscode opnieuw in.',
    'Neem contact op met je bank.',
    'Voer geldige kaartgegevens in.',
    'Zet geld op je rekening en probeer het opnieuw.',
    'Gebruik een andere kaart.',
    'Gebruik een geldige kaart.',
    'Neem contact op met de klantenservice.',
  ),
  pl: actions(
    'Spróbuj ponownie.',
    'Wpisz ponownie kod zabezpieczający.',
    'Skontaktuj się ze swoim bankiem.',
    'Podaj prawidłowe dane karty.',
    'Uzupełnij środki na karcie i spróbuj ponownie.',
    'Użyj innej karty.',
    'Użyj ważnej karty.',
    'Skontaktuj się z obsługą klienta.',
  ),
  pt: actions(
    'Tente novamente.',
    'Digite novamente o código de segurança.',
    'Entre em contato com seu banco.',
    'Informe dados válidos do cartão.',
    'Adicione saldo ao cartão e tente novamente.',
    'Use outro cartão.',
    'Use um cartão válido.',
    'Entre em contato com o suporte.',
  ),
  zh: actions(
    '请重试。',
    '请重新输入安全码。',
    '请联系您的发卡银行。',
    '请输入有效的银行卡信息。',
    '请补足卡内余额后重试。',
    '请使用其他银行卡。',
    '请使用有效的银行卡。',
    '请联系客服。',
  ),
}

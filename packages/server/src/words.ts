/** What the companion says to a shopper, in the languages that the loader has too. English where there is no other. */

export interface Words {
  /** On the return page, whatever happens there. */
  readonly returning: string
  readonly signIn: string
  /** For a link that is over, or never was right. */
  readonly ended: string
  readonly tooMany: string
  /** While the service is away. */
  readonly away: string
  readonly failed: string
}

export type Language = 'en' | 'ar' | 'de' | 'es' | 'fr' | 'he' | 'it' | 'ja' | 'nl' | 'pl' | 'pt' | 'zh'

export const languages: Readonly<Record<Language, Words>> = {
  en: {
    returning: 'You can go back to the shop.',
    signIn: 'Sign in first.',
    ended: 'This link does not work any more. Begin again in the shop.',
    tooMany: 'Too many attempts. Try again in a minute.',
    away: 'The purchase cannot be started at the moment. Try again soon.',
    failed: 'Something went wrong. Try again soon.',
  },
  ar: {
    returning: 'يمكنك العودة إلى المتجر.',
    signIn: 'سجّل الدخول أولًا.',
    ended: 'لم يعد هذا الرابط يعمل. ابدأ من جديد من المتجر.',
    tooMany: 'محاولات كثيرة جدًا. حاول مرة أخرى بعد دقيقة.',
    away: 'يتعذّر بدء عملية الشراء حاليًا. حاول مرة أخرى بعد قليل.',
    failed: 'حدث خطأ ما. حاول مرة أخرى بعد قليل.',
  },
  de: {
    returning: 'Sie können zum Shop zurückkehren.',
    signIn: 'Melden Sie sich zuerst an.',
    ended: 'Dieser Link ist nicht mehr gültig. Beginnen Sie im Shop noch einmal von vorn.',
    tooMany: 'Zu viele Versuche. Versuchen Sie es in einer Minute erneut.',
    away: 'Der Kauf kann im Moment nicht gestartet werden. Versuchen Sie es in Kürze erneut.',
    failed: 'Es ist ein Fehler aufgetreten. Versuchen Sie es in Kürze erneut.',
  },
  es: {
    returning: 'Puedes volver a la tienda.',
    signIn: 'Primero inicia sesión.',
    ended: 'Este enlace ya no funciona. Vuelve a empezar desde la tienda.',
    tooMany: 'Demasiados intentos. Inténtalo de nuevo dentro de un minuto.',
    away: 'En este momento no se puede iniciar la compra. Inténtalo de nuevo en breve.',
    failed: 'Algo ha salido mal. Inténtalo de nuevo en breve.',
  },
  fr: {
    returning: 'Vous pouvez revenir à la boutique.',
    signIn: 'Connectez-vous d’abord.',
    ended: 'Ce lien ne fonctionne plus. Recommencez depuis la boutique.',
    tooMany: 'Trop de tentatives. Réessayez dans une minute.',
    away: 'L’achat ne peut pas être lancé pour le moment. Réessayez dans un instant.',
    failed: 'Une erreur s’est produite. Réessayez dans un instant.',
  },
  he: {
    returning: 'אפשר לחזור לחנות.',
    signIn: 'יש להתחבר תחילה.',
    ended: 'הקישור הזה כבר אינו פעיל. יש להתחיל מחדש בחנות.',
    tooMany: 'יותר מדי ניסיונות. יש לנסות שוב בעוד דקה.',
    away: 'לא ניתן להתחיל את הרכישה כרגע. יש לנסות שוב בעוד זמן קצר.',
    failed: 'משהו השתבש. יש לנסות שוב בעוד זמן קצר.',
  },
  it: {
    returning: 'Puoi tornare al negozio.',
    signIn: 'Prima effettua l’accesso.',
    ended: 'Questo link non funziona più. Ricomincia dal negozio.',
    tooMany: 'Troppi tentativi. Riprova tra un minuto.',
    away: 'Al momento non è possibile avviare l’acquisto. Riprova tra poco.',
    failed: 'Qualcosa è andato storto. Riprova tra poco.',
  },
  ja: {
    returning: 'ショップに戻ることができます。',
    signIn: '先にログインしてください。',
    ended: 'このリンクは無効になりました。ショップからやり直してください。',
    tooMany: '操作の回数が多すぎます。1分後にもう一度お試しください。',
    away: '現在、購入手続きを開始できません。しばらくしてからもう一度お試しください。',
    failed: '問題が発生しました。しばらくしてからもう一度お試しください。',
  },
  nl: {
    returning: 'Je kunt teruggaan naar de winkel.',
    signIn: 'Log eerst in.',
    ended: 'Deze link werkt niet meer. Begin opnieuw in de winkel.',
    tooMany: 'Te veel pogingen. Probeer het over een minuut opnieuw.',
    away: 'De aankoop kan nu niet worden gestart. Probeer het zo meteen opnieuw.',
    failed: 'Er is iets misgegaan. Probeer het zo meteen opnieuw.',
  },
  pl: {
    returning: 'Możesz wrócić do sklepu.',
    signIn: 'Najpierw się zaloguj.',
    ended: 'Ten link już nie działa. Zacznij od nowa w sklepie.',
    tooMany: 'Zbyt wiele prób. Spróbuj ponownie za minutę.',
    away: 'W tej chwili nie można rozpocząć zakupu. Spróbuj ponownie za chwilę.',
    failed: 'Coś poszło nie tak. Spróbuj ponownie za chwilę.',
  },
  pt: {
    returning: 'Você pode voltar à loja.',
    signIn: 'Entre na sua conta primeiro.',
    ended: 'Este link não funciona mais. Comece de novo na loja.',
    tooMany: 'Muitas tentativas. Tente novamente em um minuto.',
    away: 'Não é possível iniciar a compra no momento. Tente novamente em instantes.',
    failed: 'Algo deu errado. Tente novamente em instantes.',
  },
  zh: {
    returning: '您可以返回商店。',
    signIn: '请先登录。',
    ended: '此链接已失效。请返回商店重新开始。',
    tooMany: '操作过于频繁。请一分钟后重试。',
    away: '目前无法开始购买。请稍后重试。',
    failed: '出了点问题。请稍后重试。',
  },
}

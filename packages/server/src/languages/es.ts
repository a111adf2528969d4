/** Spanish. */
import type { Language } from './types.ts'

const byIssuer = 'Ponte en contacto con tu banco.'

export const es: Language = {
  words: {
    returning: 'Puedes volver a la tienda.',
    signIn: 'Primero inicia sesión.',
    ended: 'Este enlace ya no funciona. Vuelve a empezar desde la tienda.',
    tooMany: 'Demasiados intentos. Inténtalo de nuevo dentro de un minuto.',
    away: 'En este momento no se puede iniciar la compra. Inténtalo de nuevo en breve.',
    failed: 'Algo ha salido mal. Inténtalo de nuevo en breve.',
    tryAgain: 'Reintentar',
  },
  declineActions: {
    4000: 'Inténtalo de nuevo.',
    4001: 'Vuelve a introducir el código de seguridad.',
    4002: byIssuer,
    4003: 'Introduce datos de tarjeta válidos.',
    4004: 'Añade fondos a la tarjeta e inténtalo de nuevo.',
    4005: 'Usa otra tarjeta.',
    4010: byIssuer,
    4011: 'Usa una tarjeta válida.',
    4012: byIssuer,
    4013: 'Ponte en contacto con atención al cliente.',
  },
}

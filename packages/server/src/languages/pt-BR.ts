/** Portuguese of Brazil. */
import type { Language } from './types.ts'

const byIssuer = 'Entre em contato com seu banco.'

export const ptBR: Language = {
  words: {
    returning: 'Você pode voltar à loja.',
    signIn: 'Entre na sua conta primeiro.',
    ended: 'Este link não funciona mais. Comece de novo na loja.',
    tooMany: 'Muitas tentativas. Tente novamente em um minuto.',
    away: 'Não é possível iniciar a compra no momento. Tente novamente em instantes.',
    failed: 'Algo deu errado. Tente novamente em instantes.',
    tryAgain: 'Tentar novamente',
  },
  declineActions: {
    4000: 'Tente novamente.',
    4001: 'Digite novamente o código de segurança.',
    4002: byIssuer,
    4003: 'Informe dados válidos do cartão.',
    4004: 'Adicione saldo ao cartão e tente novamente.',
    4005: 'Use outro cartão.',
    4010: byIssuer,
    4011: 'Use um cartão válido.',
    4012: byIssuer,
    4013: 'Entre em contato com o suporte.',
  },
}

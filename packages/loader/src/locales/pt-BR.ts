/** Portuguese of Brazil. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Entre em contato com seu banco.'

export const strings: WidgetStrings = {
  title: 'Compra',
  close: 'Fechar',
  loading: 'Carregando…',
  connecting: 'Ainda conectando…',
  cancel: 'Cancelar',
  inOtherWindow: 'A página de compra está aberta em outra janela.',
  bringToFront: 'Mostrar janela',
  windowLost: 'Se você fechou a janela da compra, abra-a novamente.',
  finished: 'Já terminei',
  trouble: 'Algum problema?',
  notLoading: 'Não foi possível carregar a página de compra.',
  failed: 'Não foi possível iniciar a compra.',
  retry: 'Tentar novamente',
  openInNewWindow: 'Abrir em uma nova janela',
  confirming: 'Verificando sua compra…',
  notConfirmed: 'Ainda não sabemos se sua compra foi concluída.',
  askAgain: 'Verificar novamente',
  processing: 'Seu pagamento está sendo processado. Não pague novamente.',
  underReview: 'Pagamento realizado. A loja está analisando sua compra.',
  dismiss: 'Ocultar',
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

/** Portuguese of Brazil. */
import type { WidgetStrings } from '../types.ts'

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
  notCharged: 'Nada foi cobrado de você.',
  retry: 'Tentar novamente',
  openInNewWindow: 'Abrir em uma nova janela',
  confirming: 'Verificando sua compra…',
  notConfirmed: 'Ainda não sabemos se sua compra foi concluída.',
  askAgain: 'Verificar novamente',
  processing: 'Seu pagamento está sendo processado. Não pague novamente.',
  underReview: 'Pagamento realizado. A loja está analisando sua compra.',
  dismiss: 'Ocultar',
}

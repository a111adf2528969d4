/** Spanish. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Compra',
  close: 'Cerrar',
  loading: 'Cargando…',
  connecting: 'Seguimos conectando…',
  cancel: 'Cancelar',
  inOtherWindow: 'La página de compra está abierta en otra ventana.',
  bringToFront: 'Mostrar la ventana',
  windowLost: 'Si has cerrado la ventana de compra, vuelve a abrirla.',
  finished: 'He terminado',
  trouble: '¿Algún problema?',
  notLoading: 'No se ha podido cargar la página de compra.',
  failed: 'No se ha podido iniciar la compra.',
  notCharged: 'No se te ha cobrado nada.',
  retry: 'Reintentar',
  openInNewWindow: 'Abrir en una ventana nueva',
  confirming: 'Comprobando tu compra…',
  notConfirmed: 'Todavía no se sabe si tu compra se ha completado.',
  askAgain: 'Comprobar de nuevo',
  processing: 'Tu pago se está procesando. No vuelvas a pagar.',
  underReview: 'Pago realizado. La tienda está revisando tu compra.',
  dismiss: 'Ocultar',
}

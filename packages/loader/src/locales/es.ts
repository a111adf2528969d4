/** Spanish. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Ponte en contacto con tu banco.'

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
  retry: 'Reintentar',
  openInNewWindow: 'Abrir en una ventana nueva',
  confirming: 'Comprobando tu compra…',
  notConfirmed: 'Todavía no se sabe si tu compra se ha completado.',
  askAgain: 'Comprobar de nuevo',
  processing: 'Tu pago se está procesando. No vuelvas a pagar.',
  underReview: 'Pago realizado. La tienda está revisando tu compra.',
  dismiss: 'Ocultar',
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

/** Bulgarian. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Покупка',
  close: 'Затваряне',
  loading: 'Зареждане…',
  connecting: 'Все още се свързваме…',
  cancel: 'Отказ',
  inOtherWindow: 'Страницата за покупка е отворена в друг прозорец.',
  bringToFront: 'Показване на прозореца',
  windowLost: 'Ако сте затворили прозореца за покупка, отворете го отново.',
  finished: 'Приключих',
  trouble: 'Имате ли проблем?',
  notLoading: 'Страницата за покупка не можа да се зареди.',
  failed: 'Покупката не можа да започне.',
  notCharged: 'Не е удържана никаква сума.',
  retry: 'Нов опит',
  openInNewWindow: 'Отваряне в нов прозорец',
  confirming: 'Проверяваме покупката ви…',
  notConfirmed: 'Все още не се знае дали покупката ви е завършена.',
  askAgain: 'Нова проверка',
  processing: 'Плащането ви се обработва. Не плащайте отново.',
  underReview: 'Плащането е извършено. Магазинът преглежда покупката ви.',
  dismiss: 'Скриване',
}

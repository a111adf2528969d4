/** Russian. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Покупка',
  close: 'Закрыть',
  loading: 'Загрузка…',
  connecting: 'Соединение ещё устанавливается…',
  cancel: 'Отмена',
  inOtherWindow: 'Страница покупки открыта в другом окне.',
  bringToFront: 'Показать окно',
  windowLost: 'Если вы закрыли окно покупки, откройте его снова.',
  finished: 'Готово',
  trouble: 'Возникла проблема?',
  notLoading: 'Не удалось загрузить страницу покупки.',
  failed: 'Не удалось начать покупку.',
  notCharged: 'Деньги не списаны.',
  retry: 'Попробовать ещё раз',
  openInNewWindow: 'Открыть в новом окне',
  confirming: 'Проверяем вашу покупку…',
  notConfirmed: 'Пока неизвестно, завершена ли ваша покупка.',
  askAgain: 'Проверить ещё раз',
  processing: 'Ваш платёж обрабатывается. Не платите повторно.',
  underReview: 'Покупка оплачена. Магазин её проверяет.',
  dismiss: 'Скрыть',
}

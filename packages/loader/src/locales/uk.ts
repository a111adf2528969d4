/** Ukrainian. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Покупка',
  close: 'Закрити',
  loading: 'Завантаження…',
  connecting: 'З’єднання ще встановлюється…',
  cancel: 'Скасувати',
  inOtherWindow: 'Сторінку покупки відкрито в іншому вікні.',
  bringToFront: 'Показати вікно',
  windowLost: 'Якщо ви закрили вікно покупки, відкрийте його знову.',
  finished: 'Готово',
  trouble: 'Виникла проблема?',
  notLoading: 'Не вдалося завантажити сторінку покупки.',
  failed: 'Не вдалося розпочати покупку.',
  notCharged: 'Кошти не списано.',
  retry: 'Спробувати ще раз',
  openInNewWindow: 'Відкрити в новому вікні',
  confirming: 'Перевіряємо вашу покупку…',
  notConfirmed: 'Поки невідомо, чи завершено вашу покупку.',
  askAgain: 'Перевірити ще раз',
  processing: 'Ваш платіж обробляється. Не платіть повторно.',
  underReview: 'Покупку оплачено. Магазин її перевіряє.',
  dismiss: 'Приховати',
}

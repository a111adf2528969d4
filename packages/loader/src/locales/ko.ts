/** Korean. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: '구매',
  close: '닫기',
  loading: '불러오는 중…',
  connecting: '아직 연결 중입니다…',
  cancel: '취소',
  inOtherWindow: '다른 창에서 구매가 진행 중입니다.',
  bringToFront: '창 보기',
  windowLost: '구매 창을 닫으셨다면 다시 열어 주세요.',
  finished: '완료했습니다',
  trouble: '문제가 있으신가요?',
  notLoading: '구매 화면을 불러오지 못했습니다.',
  failed: '구매를 시작하지 못했습니다.',
  notCharged: '요금이 청구되지 않았습니다.',
  retry: '다시 시도',
  openInNewWindow: '새 창에서 열기',
  confirming: '구매 결과를 확인하는 중…',
  notConfirmed: '구매가 완료되었는지 아직 확인되지 않았습니다.',
  askAgain: '다시 확인',
  processing: '결제를 처리하고 있습니다. 다시 결제하지 마세요.',
  underReview: '결제가 완료되었습니다. 상점에서 구매 내용을 확인하고 있습니다.',
  dismiss: '숨기기',
}

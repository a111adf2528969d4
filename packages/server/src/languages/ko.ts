/** Korean. */
import type { Language } from './types.ts'

const byIssuer = '카드사에 문의해 주세요.'

export const ko: Language = {
  words: {
    returning: '상점으로 돌아가실 수 있습니다.',
    signIn: '먼저 로그인해 주세요.',
    ended: '이 링크는 더 이상 유효하지 않습니다. 상점에서 다시 시작해 주세요.',
    tooMany: '시도 횟수가 너무 많습니다. 1분 후에 다시 시도해 주세요.',
    away: '지금은 구매를 시작할 수 없습니다. 잠시 후 다시 시도해 주세요.',
    failed: '문제가 발생했습니다. 잠시 후 다시 시도해 주세요.',
    tryAgain: '다시 시도',
  },
  declineActions: {
    4000: '다시 시도해 주세요.',
    4001: '보안 코드를 다시 입력해 주세요.',
    4002: byIssuer,
    4003: '올바른 카드 정보를 입력해 주세요.',
    4004: '계좌에 입금한 후 다시 시도해 주세요.',
    4005: '다른 카드를 사용해 주세요.',
    4010: byIssuer,
    4011: '유효한 카드를 사용해 주세요.',
    4012: byIssuer,
    4013: '고객센터에 문의해 주세요.',
  },
}

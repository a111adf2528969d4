/** Chinese, traditional. */
import type { Language } from './types.ts'

const byIssuer = '請聯絡您的發卡銀行。'

export const zhTW: Language = {
  words: {
    returning: '您可以回到商店。',
    signIn: '請先登入。',
    ended: '此連結已失效。請回到商店重新開始。',
    tooMany: '嘗試次數過多。請於一分鐘後再試一次。',
    away: '目前無法開始購買。請稍後再試。',
    failed: '發生錯誤。請稍後再試。',
    tryAgain: '再試一次',
  },
  declineActions: {
    4000: '請再試一次。',
    4001: '請重新輸入安全碼。',
    4002: byIssuer,
    4003: '請輸入有效的卡片資料。',
    4004: '請補足卡片餘額後再試一次。',
    4005: '請使用其他卡片。',
    4010: byIssuer,
    4011: '請使用有效的卡片。',
    4012: byIssuer,
    4013: '請聯絡客服。',
  },
}

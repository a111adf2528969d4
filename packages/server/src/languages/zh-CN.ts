/** Chinese, simplified. */
import type { Language } from './types.ts'

const byIssuer = '请联系您的发卡银行。'

export const zhCN: Language = {
  words: {
    returning: '您可以返回商店。',
    signIn: '请先登录。',
    ended: '此链接已失效。请返回商店重新开始。',
    tooMany: '操作过于频繁。请一分钟后重试。',
    away: '目前无法开始购买。请稍后重试。',
    failed: '出了点问题。请稍后重试。',
    tryAgain: '重试',
  },
  declineActions: {
    4000: '请重试。',
    4001: '请重新输入安全码。',
    4002: byIssuer,
    4003: '请输入有效的银行卡信息。',
    4004: '请补足卡内余额后重试。',
    4005: '请使用其他银行卡。',
    4010: byIssuer,
    4011: '请使用有效的银行卡。',
    4012: byIssuer,
    4013: '请联系客服。',
  },
}

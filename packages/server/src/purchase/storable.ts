/** Text that every store can keep: Postgres has no NUL, and half of a UTF-16 pair is no text. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

/** Text from outside, as a terminal or a log may show it. */
/** Every character that is not printable as JSON escapes it, so that JSON stays the same JSON. */
export declare const printable: (text: string) => string

/** Which hosts are this machine: plain http is safe there, and nowhere else. `hostname` as in `URL.hostname`. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

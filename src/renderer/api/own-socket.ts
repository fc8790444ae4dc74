/** Where the socket of the page's own host is. */
export function socketAddress({ protocol, host }: Pick<Location, 'protocol' | 'host'>): string {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws`;
}

/** A socket that is being opened. Nothing else of the window speaks to anybody but by it, or its own page. */
export const dial = (address: string): WebSocket => new WebSocket(address);

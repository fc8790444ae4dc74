export function socketAddress({ protocol, host }: Pick<Location, 'protocol' | 'host'>): string {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws`;
}

/** Besides requests of its own page, the window has no other connection. */
export const openWebSocket = (address: string): WebSocket => new WebSocket(address);

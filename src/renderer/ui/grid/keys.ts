/** Whether an event is the keys that copy. */
export const isCopyKey = (event: Event | null | undefined): boolean =>
  event instanceof KeyboardEvent && event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey);

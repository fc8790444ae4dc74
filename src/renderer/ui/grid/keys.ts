// Arrow keys move inside a grid; Tab leaves it.
export const leaveGrid = () => false;

const isControlKey = (event: Event | null | undefined, letter: string): event is KeyboardEvent =>
  event instanceof KeyboardEvent && event.key.toLowerCase() === letter && (event.ctrlKey || event.metaKey);

export const isCopyKey = (event: Event | null | undefined): boolean => isControlKey(event, 'c');

/** Whether an event is the keys that select everything. */
export const isSelectAllKey = (event: Event | null | undefined): event is KeyboardEvent =>
  isControlKey(event, 'a');

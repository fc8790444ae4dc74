import { describe, expect, it } from 'vitest';
import { createTabs } from '../../../src/renderer/app/tabs.ts';

function withTabs(...titles: string[]) {
  const closed: string[] = [];
  const tabs = createTabs();
  for (const title of titles)
    tabs.actions.open({
      kind: 'query',
      title,
      model: { actions: { close: () => closed.push(title) } } as never,
    });
  const shown = () => {
    const { tabs: open, active } = tabs.store.getState();
    return open.map(({ id, title }) => (id === active ? `[${title}]` : title)).join(' ');
  };
  const idOf = (title: string) => tabs.store.getState().tabs.find((tab) => tab.title === title)?.id ?? '';
  return { ...tabs.actions, shown, idOf, closed };
}

describe('tabs', () => {
  it('show the newest', () => {
    expect(withTabs('a', 'b').shown()).toBe('a [b]');
  });

  it('show the neighbour of one that is closed, and end what it was doing', () => {
    const tabs = withTabs('a', 'b', 'c');
    tabs.show(tabs.idOf('b'));
    tabs.close(tabs.idOf('b'));
    expect(tabs.shown()).toBe('a [c]');
    tabs.close(tabs.idOf('c'));
    expect(tabs.shown()).toBe('[a]');
    tabs.close(tabs.idOf('a'));
    expect(tabs.shown()).toBe('');
    expect(tabs.closed).toEqual(['b', 'c', 'a']);
  });

  it('stay where they are when another is closed', () => {
    const tabs = withTabs('a', 'b', 'c');
    tabs.close(tabs.idOf('a'));
    expect(tabs.shown()).toBe('b [c]');
  });

  it('all go at once', () => {
    const tabs = withTabs('a', 'b');
    tabs.closeAll();
    expect(tabs.shown()).toBe('');
    expect(tabs.closed).toEqual(['a', 'b']);
  });
});

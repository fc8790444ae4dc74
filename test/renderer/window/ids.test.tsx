import { expect, it } from 'vitest';
import { openSeveral } from './support/several.ts';

it('two tabs of each kind, side by side, have no id in common', async () => {
  const opened = await openSeveral();
  const { tabs, session, show } = opened;
  const { actions } = session().tabs;
  const repeated = () => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at);
  };
  for (const [one, other] of [
    [tabs.query, tabs.otherQuery],
    [tabs.live, tabs.otherLive],
    [tabs.upload, tabs.otherUpload],
    [tabs.quality, tabs.statement],
  ] as const) {
    await show(one);
    actions.showBeside(other.id);
    await expect.poll(() => document.querySelectorAll('[role=tabpanel]').length).toBe(2);
    await opened.tab();
    expect(repeated()).toEqual([]);
    actions.showBeside(null);
  }
});

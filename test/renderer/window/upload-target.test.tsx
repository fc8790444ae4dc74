import { within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { openQuery } from '../../../src/renderer/features/query/open-query.ts';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { any, like } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { rigRows, uploadIn } from './support/upload.ts';
import { openSeveral } from './support/several.ts';

const w = uploadWords;
const address = 'demo/uploads.time';

it('asks once before rows go into a dataset that only the tab in view suggests', async () => {
  const opened = await openSeveral();
  const { press, session } = opened;
  await expect.poll(() => session().datasets.store.getState().list).toMatchObject({ status: 'loaded' });
  const { list } = session().datasets.store.getState();
  const dataset = list.status === 'loaded' && list.value.find((each) => each.dataset === 'uploads.time');
  if (!dataset) throw new Error('the dataset is missing');
  openQuery(session(), dataset);
  const upload = uploadIn(opened);
  await upload.drop([['rig.csv', ['Time,ROP,WOB', ...rigRows(20)].join('\n')]]);
  await upload.text(w.target.assumed(address));
  expect(await findings()).toEqual([]);
  await upload.next('columns');
  await upload.next('check');
  expect(await upload.button(w.check.send(20))).toBeDisabled();
  // Nor can it be sent with the two other files, whose wells are known.
  await upload.text(w.check.good(20));
  await within(await upload.tab()).findAllByText(like(w.alike.wells.first(any)));
  expect(await upload.button(w.alike.send(3))).toBeDisabled();
  await press(w.target.confirm(address), await upload.tab());
  await upload.send();
  await expect.poll(upload.books).toMatchObject({ accepted: 20, rows: 20 });
});

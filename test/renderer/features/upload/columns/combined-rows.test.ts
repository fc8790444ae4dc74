import { expect, it } from 'vitest';
import { recordText } from '../../../../../src/renderer/features/upload/columns/columns-step.tsx';

it('the preview of a record has each field and each item of the list on its own line, with numbers unchanged', () => {
  const json = '{"asset_id":7,"data":{"id":9007199254740993,"tags":[1,2],"survey":[{"md":1.50},{"md":2}]}}';
  expect(recordText(json, 'data.survey', '… 3 more')).toBe(
    [
      '{',
      '  asset_id: 7',
      '  data: {',
      '    id: 9007199254740993',
      '    tags: [1,2]',
      '    survey: [',
      '      {"md":1.5}',
      '      {"md":2}',
      '      … 3 more',
      '    ]',
      '  }',
      '}',
    ].join('\n'),
  );
});

import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { dayOf } from '../../../src/renderer/format/range-inputs.ts';
import DayRange from '../../../src/renderer/ui/day-range.tsx';

it('the calendar marks the day of its zone as today, and not that of this computer', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  // One of them has another day than this computer, whatever its zone.
  for (const zone of ['+14:00', 'Pacific/Pago_Pago', 'UTC']) {
    const today = dayOf(Date.now(), zone);
    root.render(
      <DayRange
        key={zone}
        label="Days"
        today={today}
        value={{ first: today, last: today }}
        onChange={() => undefined}
      />,
    );
    const marked = () =>
      [...document.querySelectorAll('[data-now]')].map(({ textContent }) => Number(textContent));
    await expect.poll(marked, { message: zone }).toEqual([Number(today.slice(-2))]);
  }
  root.unmount();
});

it('a day is that of the zone', () => {
  const ms = Date.UTC(2026, 10, 28, 5);
  expect(
    ['America/Chicago', 'UTC', '+14:00', 'Pacific/Pago_Pago', ''].map((zone) => dayOf(ms, zone)),
  ).toEqual(['2026-11-27', '2026-11-28', '2026-11-28', '2026-11-27', '2026-11-28']);
});

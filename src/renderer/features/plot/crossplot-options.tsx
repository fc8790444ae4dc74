import { Settings2 } from 'lucide-react';
import type { CrossplotChoice } from '../../../shared/tabs/plot.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SelectField } from '../../ui/select-box.tsx';
import { plotWords } from '../../words/plot.ts';
import { pathViews, shownFields } from './first-choice.ts';
import { fieldName } from './names.ts';
import type { PlotBarProps } from './plot-bar.tsx';

const plain: CrossplotChoice = {
  color: null,
  isLogX: false,
  isLogY: false,
  hasRegression: false,
  hasHistograms: false,
};

const flags = ['isLogX', 'isLogY', 'hasRegression', 'hasHistograms'] as const;

/** The color, axes, regression, and histograms of a crossplot, in a popup. */
export function CrossplotOptions({ plot, choice, source, names }: PlotBarProps) {
  const now = choice.crossplot ?? plain;
  const path = pathViews(source.fields);
  const change = (part: Partial<CrossplotChoice>): void =>
    plot.actions.choose({ ...choice, crossplot: { ...now, ...part } });
  return (
    <Popup
      heading={plotWords.crossplot.heading}
      trigger={<Button variant="quiet" icon={Settings2} aria-label={plotWords.crossplot.heading} />}
    >
      {() => (
        <div className="curve-form stack">
          <SelectField
            label={plotWords.crossplot.color}
            value={now.color ?? ''}
            options={[
              { id: '', text: plotWords.crossplot.noColor },
              ...shownFields(source.fields).map(({ id }) => ({ id, text: fieldName(id, names) })),
            ]}
            onChange={(color) => change({ color: color === '' ? null : color })}
          />
          {flags.map((flag) => (
            <CheckBox
              key={flag}
              label={plotWords.crossplot[flag]}
              checked={now[flag]}
              onChange={(isOn) => change({ [flag]: isOn })}
            />
          ))}
          {(path ?? choice.plan) && (
            <CheckBox
              label={plotWords.crossplot.plan}
              checked={choice.plan !== undefined}
              onChange={(isOn) =>
                plot.actions.choose(isOn ? { ...choice, ...path } : { ...choice, plan: undefined })
              }
            />
          )}
        </div>
      )}
    </Popup>
  );
}

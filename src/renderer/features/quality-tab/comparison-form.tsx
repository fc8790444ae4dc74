import { useState } from 'react';
import { useStore } from 'zustand';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import type { ComparedSide } from '../../../shared/quality/comparison.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { WellBox } from '../wells/well-box.tsx';
import { comparedQueries, type ComparisonProblems } from './compared-queries.ts';
import type { QualityTab, SideInputs } from './quality-tab.ts';

const w = words.quality.comparing;

/** What is compared: the well and the range of both sides, or another query, and how much numbers may differ. */
export function ComparisonForm({ tab, type }: { tab: QualityTab; type: DatasetType }) {
  const { actions, store } = tab;
  const { query, comparison } = useStore(store, (state) => state.form);
  const isStarting = useStore(tab.run.store, (state) => state.isStarting);
  const [problems, setProblems] = useState<ComparisonProblems>({});
  const isQuery = comparison.againstQuery !== null;
  const change = (next: Parameters<typeof actions.changeComparison>[0]): void => {
    setProblems({});
    actions.changeComparison(next);
  };

  function sideInputs(side: ComparedSide) {
    const inputs = comparison[side];
    const isOther = side === 'against';
    const changeInputs = (next: Partial<SideInputs>): void => change({ [side]: { ...inputs, ...next } });
    const label = (input: string): string => w.input(w[side], input);
    const end = (name: 'from' | 'to', placeholder: string) => (
      <TextField
        name={`${side}-${name}`}
        label={label(w[name])}
        isLabelHidden
        mono
        value={inputs[name]}
        placeholder={placeholder}
        problem={problems[`${side}.${name}`]}
        onChange={(value) => changeInputs({ [name]: value })}
      />
    );
    return (
      <>
        <span className="quality-side small quiet">{w[side]}</span>
        <WellBox
          label={label(w.well)}
          assetId={inputs.assetId}
          placeholder={isOther ? w.same : w.asQuery}
          problem={problems[`${side}.assetId`]}
          onChoose={(assetId) => changeInputs({ assetId })}
        />
        {end('from', isOther ? w.same : w.noLimit)}
        {end('to', isOther ? (inputs.from.trim() === '' ? w.same : w.sameLength) : w.noLimit)}
      </>
    );
  }

  return (
    <form
      className="quality-comparison"
      aria-label={w.heading}
      onSubmit={(event) => {
        event.preventDefault();
        const queries = comparedQueries(query, type, comparison);
        setProblems('problems' in queries ? queries.problems : {});
        if ('query' in queries) void actions.compare(queries);
      }}
    >
      <div className="quality-sides">
        <span />
        {[w.well, w.from, w.to].map((name) => (
          <span key={name} className="quality-side small quiet" aria-hidden>
            {name}
          </span>
        ))}
        {sideInputs('source')}
        {isQuery ? (
          <>
            <span className="quality-side small quiet">{w.against}</span>
            <TextField
              className="quality-other-query"
              name="against-query"
              label={w.otherQuery}
              isLabelHidden
              mono
              value={comparison.againstQuery ?? ''}
              problem={problems.againstQuery}
              onChange={(againstQuery) => change({ againstQuery })}
            />
          </>
        ) : (
          sideInputs('against')
        )}
      </div>
      <div className="row quality-comparison-end">
        <TextField
          className="quality-tolerance"
          name="tolerance"
          label={w.tolerance}
          value={comparison.tolerance}
          placeholder={w.toleranceHint}
          problem={problems.tolerance}
          onChange={(tolerance) => change({ tolerance })}
        />
        <Button type="submit" variant="primary" isPending={isStarting}>
          {w.start}
        </Button>
        <CheckBox
          label={w.advanced}
          checked={isQuery}
          onChange={(isOn) => change({ againstQuery: isOn ? otherQueryOf() : null })}
        />
      </div>
      <p className="quality-note small quiet">{w.note}</p>
    </form>
  );

  /** The other query that the inputs mean, to go on from. */
  function otherQueryOf(): string {
    const queries = comparedQueries(query, type, comparison);
    return 'query' in queries ? queries.againstQuery : query;
  }
}

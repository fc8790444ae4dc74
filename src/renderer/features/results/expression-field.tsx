import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import type { Scope } from '../../../shared/calculated/compile.ts';
import { ComboParts } from '../../ui/combo-box.tsx';
import { calculatedWords as w } from '../../words/calculated.ts';
import { expressionWords, proposalsAt, wordStart } from './expression-proposals.ts';

interface ExpressionFieldProps {
  readonly value: string;
  readonly scope: Scope;
  readonly onChange: (value: string) => void;
  /** What is wrong with the value; undefined: nothing. */
  readonly problem: string | undefined;
  readonly note: string | undefined;
}

/** An expression, with proposals for the word before the caret. */
export function ExpressionField({ value, scope, onChange, problem, note }: ExpressionFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState(value.length);
  /** Where the caret goes once an accepted word is in the text. */
  const nextCaret = useRef<number | null>(null);
  const names = useMemo(() => expressionWords(scope), [scope]);
  const proposals = useMemo(() => proposalsAt(value, caret, names), [value, caret, names]);
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    input.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });
  const accept = (word: string) => {
    const start = wordStart(value, caret);
    nextCaret.current = start + word.length;
    setCaret(nextCaret.current);
    onChange(value.slice(0, start) + word + value.slice(caret));
  };
  return (
    <ComboBox
      className="field"
      items={proposals}
      inputValue={value}
      onInputChange={(text) => {
        setCaret(input.current?.selectionStart ?? text.length);
        onChange(text);
      }}
      selectedKey={null}
      onSelectionChange={(key) => {
        if (key !== null) accept(String(key));
      }}
      allowsCustomValue
      menuTrigger="input"
      isInvalid={problem !== undefined}
      validationBehavior="aria"
      // oxlint-disable-next-line no-autofocus -- the main field of a popup
      autoFocus
    >
      <Label className="field-label">{w.expression}</Label>
      <Input
        ref={input}
        className="input input-mono mono"
        name="expression"
        placeholder={w.example}
        spellCheck={false}
        autoComplete="off"
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
      />
      <ComboParts note={note} problem={problem} isMono />
    </ComboBox>
  );
}

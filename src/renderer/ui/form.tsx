import { useLayoutEffect, useRef } from 'react';
import { Form as AriaForm, type FormProps as AriaFormProps } from 'react-aria-components/Form';

interface FormProps extends Omit<AriaFormProps, 'onSubmit'> {
  readonly onSubmit: () => void;
  /** When it changes, the focus moves to the field to correct, or to the reason; null: nothing is to be corrected. */
  readonly correction?: unknown;
}

/** A form whose submission the window handles: the page never sends it. */
export function Form({ onSubmit, correction = null, ...rest }: FormProps) {
  const ref = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (correction === null) return;
    const invalid = ref.current?.querySelector('[aria-invalid=true], [data-invalid] button');
    const next = invalid ?? ref.current?.querySelector('.form-error');
    if (next instanceof HTMLElement) next.focus();
  }, [correction]);
  return (
    <AriaForm
      {...rest}
      ref={ref}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

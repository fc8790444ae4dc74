import { ArrowUpDown, CircleCheck, CircleX, Stethoscope, ChevronRight } from 'lucide-react';
import { Form } from 'react-aria-components/Form';
import {
  type Connection,
  type ConnectionCheck,
  connectionColor,
} from '../../../shared/connections/connections.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { CaFileField, ClientCertificateFields } from './certificate-fields.tsx';
import { advancedFields, type DraftInputs } from './draft.ts';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { ProxyFields } from './proxy-fields.tsx';
import { SecretFields } from './secret-fields.tsx';
import { useConnectionForm } from './use-connection-form.ts';
import { Status } from '../../ui/status.tsx';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { useEffect, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { describeKeychain } from '../../../shared/errors/sentences.ts';
import { useApp, useAppState } from '../../contexts.ts';

const w = words.connection;

/** Whether a connection uses something of the section for few connections. */
const hasAdvanced = ({ readOnly, proxyAddress }: DraftInputs, connection: Connection | undefined): boolean =>
  readOnly ||
  proxyAddress !== '' ||
  (connection?.authorities ?? []).length > 0 ||
  connection?.clientCertificate !== undefined;

export interface ConnectionFormProps {
  /** Absent: a new connection. */
  readonly connection?: Connection;
  readonly onCancel?: () => void;
}

/** Adds or changes a connection: the form can test it and save it. */
export function ConnectionForm({ connection, onCancel }: ConnectionFormProps) {
  const form = useConnectionForm(connection);
  const { inputs, type, problem, error, failure, invalidSubmits } = form;
  const place = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (!failure && invalidSubmits === 0) return;
    // The focus moves to the field to correct, or to the reason.
    const invalid = place.current?.querySelector('[aria-invalid=true], [data-invalid] button');
    const next = invalid ?? place.current?.querySelector('.form-error');
    if (next instanceof HTMLElement) next.focus();
  }, [failure, invalidSubmits]);
  const field = (name: 'name' | 'dataUrl' | 'platformUrl') => ({
    name,
    label: w[name],
    placeholder: w[`${name}Placeholder`],
    value: inputs[name],
    onChange: (text: string) => type({ [name]: text }),
    problem: problem(name),
  });
  return (
    <>
      <Form
        ref={place}
        className="connection-form stack gap-3"
        {...(connection ? { 'aria-label': w.editing(connection.name) } : {})}
        onSubmit={(event) => {
          event.preventDefault();
          form.keep();
        }}
      >
        <TextField {...field('name')} />
        <TextField {...field('dataUrl')} inputMode="url" />
        <TextField {...field('platformUrl')} inputMode="url" />
        <SecretFields
          inputs={inputs}
          onChange={type}
          problem={problem}
          hasStoredSecret={connection?.method === inputs.method && connection.secret !== 'missing'}
        />
        {!connection && (
          <KeychainOption remember={inputs.remember} onChange={(remember) => type({ remember })} />
        )}
        <AdvancedSection
          isUsed={hasAdvanced(inputs, connection)}
          hasProblem={advancedFields.some((name) => problem(name) !== undefined)}
        >
          <CheckBox
            label={w.readOnlyBox}
            checked={inputs.readOnly}
            onChange={(readOnly) => type({ readOnly })}
          />
          <ColorSelect value={inputs.color} onChange={(color) => type({ color })} />
          <CaFileField
            selection={inputs.ca}
            authorities={connection?.authorities}
            onChange={(ca) => type({ ca })}
            problem={problem('caFile')}
          />
          <ClientCertificateFields
            inputs={inputs}
            connection={connection}
            onChange={type}
            problem={problem}
          />
          <ProxyFields
            inputs={inputs}
            onChange={type}
            problem={problem}
            storedUser={
              connection?.proxy?.address === inputs.proxyAddress ? connection.proxy.user : undefined
            }
          />
        </AdvancedSection>
        {form.check && <CheckResult check={form.check} />}
        {error && (
          <div className="form-error" tabIndex={-1}>
            <Alert tone="error">
              {form.canSaveAnyway && `${w.notSaved} `}
              {error.message}
            </Alert>
          </div>
        )}
        <FormActions form={form} isNew={!connection} onCancel={onCancel} />
      </Form>
      <DiagnosticsPanel of={form.place} />
    </>
  );
}

interface FormActionsProps {
  readonly form: ReturnType<typeof useConnectionForm>;
  readonly isNew: boolean;
  readonly onCancel: (() => void) | undefined;
}

function FormActions({ form, isNew, onCancel }: FormActionsProps) {
  const { check, error, keeping, testing, canSaveAnyway, isSwapped } = form;
  const isBad = error !== null || (check !== null && !(check.data.ok && check.platform.ok));
  const [keep, working] = isNew ? [w.connect, w.connecting] : [w.save, w.saving];
  return (
    <div className="row wrap">
      {isSwapped && (
        <Button icon={ArrowUpDown} variant="primary" onPress={form.swap}>
          {w.swap}
        </Button>
      )}
      <Button type="submit" variant="primary" isPending={keeping}>
        {keeping ? working : keep}
      </Button>
      <Button variant="quiet" onPress={form.test} isPending={testing}>
        {testing ? w.testing : w.test}
      </Button>
      {isBad && (
        <Button variant="quiet" icon={Stethoscope} onPress={form.diagnose}>
          {w.why}
        </Button>
      )}
      {canSaveAnyway && (
        <Button variant="quiet" onPress={form.saveAnyway}>
          {w.saveAnyway}
        </Button>
      )}
      {onCancel && (
        <Button variant="quiet" onPress={onCancel}>
          {words.cancel}
        </Button>
      )}
    </div>
  );
}

/** The result of a test for each service. */
function CheckResult({ check }: { check: ConnectionCheck }) {
  return (
    <Status className="stack gap-1">
      <ul>
        <ServiceResult name={w.dataService} result={check.data} />
        <ServiceResult name={w.platformService} result={check.platform} />
      </ul>
    </Status>
  );
}

function ServiceResult({ name, result }: { name: string; result: ConnectionCheck['data'] }) {
  const Icon = result.ok ? CircleCheck : CircleX;
  return (
    <li className="line">
      <Icon className={result.ok ? 'tone-ok' : 'tone-error'} size={16} aria-hidden />
      <span>
        {name}: {result.ok ? w.works : w.fails}
        <span className="quiet"> · {w.inMs(Math.round(result.ms))}</span>
        {!result.ok && <div>{result.message}</div>}
      </span>
    </li>
  );
}

interface ColorSelectProps {
  readonly value: Connection['color'];
  readonly onChange: (color: Connection['color']) => void;
}

/** The color that distinguishes the connection's window. */
function ColorSelect({ value, onChange }: ColorSelectProps) {
  return (
    <RadioGroup
      className="field"
      orientation="horizontal"
      value={value}
      onChange={(color) => onChange(connectionColor.parse(color))}
    >
      <Label className="field-label">{w.color}</Label>
      <div className="row gap-1">
        {connectionColor.options.map((color) => (
          <Radio key={color} value={color} className="color center" aria-label={w.colors[color]}>
            <span className="dot dot-large" data-color={color} />
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}

interface KeychainOptionProps {
  readonly remember: boolean;
  readonly onChange: (remember: boolean) => void;
}

/** Whether credentials are stored in the keychain; if the keychain is unavailable, what to do. */
function KeychainOption({ remember, onChange }: KeychainOptionProps) {
  const trouble = useAppState('connections', (state) => state.keychain);
  const { lookAtKeychain } = useApp().connections.actions;
  useEffect(() => void lookAtKeychain(), [lookAtKeychain]);
  return (
    <>
      <CheckBox
        label={w.remember}
        checked={remember && trouble === null}
        onChange={onChange}
        isDisabled={trouble !== null}
        {...(trouble === null ? { note: w.rememberNote } : {})}
      />
      {trouble !== null && (
        <Alert tone="warning">
          {w.noKeychain} {describeKeychain(trouble)}
        </Alert>
      )}
    </>
  );
}

interface AdvancedSectionProps {
  /** Whether it has values already, so that it starts expanded. */
  readonly isUsed: boolean;
  /** Whether a field in it has a problem, which must be visible. */
  readonly hasProblem: boolean;
  readonly children: ReactNode;
}

/** What few connections need. It stays expanded while its fields change. */
function AdvancedSection({ isUsed, hasProblem, children }: AdvancedSectionProps) {
  const [isOpen, setOpen] = useState(isUsed);
  if (hasProblem && !isOpen) setOpen(true);
  return (
    <details
      className="connection-advanced"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="row gap-1">
        <ChevronRight size={14} aria-hidden />
        {w.advanced}
      </summary>
      <div className="connection-advanced-fields stack gap-3">{children}</div>
    </details>
  );
}

import { Download, Square } from 'lucide-react';
import { useState } from 'react';
import { toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import { downloadAddress } from '../../../api/files.ts';
import { startDownload } from '../../../api/save.ts';
import { useApp, useTab } from '../../../contexts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { Status } from '../../../ui/status.tsx';
import { words } from '../../../words/words.ts';
import { sqlFormats, type SqlFormat } from './sql-saving.ts';

const w = words.sql;

type Saving =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly controller: AbortController }
  | { readonly status: 'saved'; readonly notice: string }
  | { readonly status: 'failed'; readonly error: AppError };

/** Saves all rows of the statement, also those beyond what the grid shows. */
export function SaveRows() {
  const { actions } = useTab('query');
  const { saveSqlRows } = useApp();
  const [saving, setSaving] = useState<Saving>({ status: 'idle' });
  async function save(format: SqlFormat): Promise<void> {
    const controller = new AbortController();
    setSaving({ status: 'running', controller });
    try {
      const { sql } = await actions.bound();
      const saved = await saveSqlRows(`${w.fileName}.${format}`, format, sql.statement, controller.signal);
      if (!saved) return setSaving({ status: 'idle' });
      if (saved.file) startDownload(downloadAddress(saved.file.token), saved.name);
      const part = saved.computedFrom;
      const notice = w.saved(saved.name, saved.rows);
      setSaving({
        status: 'saved',
        notice: part === undefined ? notice : `${notice} ${words.results.computedFrom(part)}.`,
      });
    } catch (error) {
      const failure = toAppError(error);
      setSaving(failure.is('cancelled') ? { status: 'idle' } : { status: 'failed', error: failure });
    }
  }
  if (saving.status === 'running')
    return (
      <span className="row">
        <Status>{w.saving}</Status>
        <Button icon={Square} variant="quiet" onPress={() => saving.controller.abort()}>
          {words.cancel}
        </Button>
      </span>
    );
  return (
    <>
      <MenuButton
        label={w.save}
        icon={Download}
        items={sqlFormats.map((id) => ({ id, text: w.formats[id] }))}
        onSelect={(id) => {
          const format = sqlFormats.find((each) => each === id);
          if (format) void save(format);
        }}
      >
        {w.save}
      </MenuButton>
      {saving.status === 'saved' && <Status>{saving.notice}</Status>}
      {saving.status === 'failed' && <Alert tone="error">{saving.error.message}</Alert>}
    </>
  );
}

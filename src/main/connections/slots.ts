import { join } from 'node:path';
import { AppError } from '../../shared/errors/errors.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { alone } from '../files/alone.ts';
import { createSlot, type Slot, type SlotState } from './slot.ts';

/** How long another process may take to renew a login, in milliseconds: longer than its tries of a request. */
const patienceMs = 180_000;

/** A place for a secret of this session only. */
export function memorySlot(id: string, onChange?: (state: SlotState) => void): Slot {
  let line: Promise<unknown> = Promise.resolve();
  return createSlot({
    id,
    keychain: null,
    place: 'missing',
    onChange,
    alone(work) {
      const result = line.then(work);
      line = result.catch(() => undefined);
      return result;
    },
  });
}

/** Makes the places of the secrets of saved connections: in the keychain, under a lock of the operating system each. */
export function slotsIn(keychain: Keychain | null, lockFolder: string | null) {
  return (id: string, place: SlotState['place'], onChange: (state: SlotState) => void): Slot => {
    if (!keychain || !lockFolder) return memorySlot(id, onChange);
    const busy = () =>
      new AppError('timed_out', { service: 'platform', host: 'another process', afterMs: patienceMs });
    const path = join(lockFolder, `${id}.lock`);
    return createSlot({
      id,
      keychain,
      place,
      onChange,
      alone: (work) => alone(path, patienceMs, busy, work),
    });
  };
}

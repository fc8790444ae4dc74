import { useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useAppState, useSession, useSessionState } from '../../contexts.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { tabTitle } from './tab-title.ts';

const w = words.tabs.closing;

export default function ClosingQuestion() {
  const tabs = useSessionState('tabs', (state) => state.tabs);
  const closing = useSessionState('tabs', (state) => state.closing) ?? [];
  const closesConnection = useSessionState('tabs', (state) => state.closeAround !== null);
  const { connection, tabs: model } = useSession();
  const { answerClosing, losesWorkOnClose } = model.actions;
  const connectionName = useAppState('connections', ({ open }) => open.get(connection)?.name) ?? connection;
  const closed = tabs.filter(({ id }) => closing.includes(id));
  // As it was asked: uploads may end meanwhile.
  const [unfinished] = useState(() => closed.filter(losesWorkOnClose));
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={() => answerClosing('none')} className="palette-back">
      <Modal className="popover">
        <Dialog role="alertdialog" className="popup stack gap-3">
          <Heading slot="title" className="popup-heading">
            {closesConnection ? w.connectionHeading(connectionName) : w.heading(closed.length)}
          </Heading>
          <p>{w.unfinished(unfinished.length)}</p>
          <ul>
            {unfinished.map((tab) => (
              <li key={tab.id}>{tabTitle(tab)}</li>
            ))}
          </ul>
          <div className="row wrap">
            {unfinished.length < closed.length && (
              <Button variant="primary" onPress={() => answerClosing('finished')}>
                {w.finished(unfinished.length)}
              </Button>
            )}
            <Button onPress={() => answerClosing('all')}>
              {closesConnection ? words.commands.titles.connectionClose : w.all(closed.length)}
            </Button>
            <Button variant="quiet" onPress={() => answerClosing('none')}>
              {words.cancel}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

import { X } from 'lucide-react';
import type { PointerEvent } from 'react';
import { Tab as AriaTab } from 'react-aria-components/Tabs';
import { useStore } from 'zustand';
import { fileName } from '../../features/upload/upload-state.ts';
import type { UploadTab } from '../../features/upload/upload-tab.ts';
import { words } from '../../words/words.ts';
import type { Tab } from '../tabs.ts';
import { useSession } from '../../state/contexts.ts';

/** A tab in the strip. */
export function TabHead({ tab, isDragged }: { tab: Tab; isDragged: boolean }) {
  if (tab.kind === 'upload' && tab.name === null)
    return <UploadTabHead id={tab.id} model={tab.model} isDragged={isDragged} />;
  return <Head id={tab.id} title={tab.name ?? tab.title} isDragged={isDragged} />;
}

/** An upload is called by its file, once there is one. */
function UploadTabHead({ model, ...rest }: { id: string; model: UploadTab; isDragged: boolean }) {
  return <Head {...rest} title={words.upload.tab(useStore(model.store, fileName))} />;
}

function Head({ id, title, isDragged }: { id: string; title: string; isDragged: boolean }) {
  const { close } = useSession().tabs.actions;
  // The middle button closes, as everywhere; it must not scroll the strip.
  const onMiddle = (event: PointerEvent | React.MouseEvent) => {
    if (event.button !== 1) return;
    event.preventDefault();
    if (event.type === 'auxclick') close(id);
  };
  return (
    <AriaTab
      id={id}
      className={isDragged ? 'tab tab-dragged' : 'tab'}
      aria-label={title}
      onMouseDown={onMiddle}
      onAuxClick={onMiddle}
    >
      <span className="tab-title" title={title}>
        {title}
      </span>
      <span
        aria-hidden="true"
        className="tab-close"
        title={words.tabs.close(title)}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          close(id);
        }}
      >
        <X size={12} />
      </span>
    </AriaTab>
  );
}

import { Braces, Check, Copy } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { copyLanguages, type CopyLanguage, type DescribedRequest } from '../../../shared/query/query.ts';
import { formatDuration } from '../../format/times.ts';
import { useLoaded } from '../../state/use-loaded.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { Popup } from '../../ui/popup.tsx';
import { Status } from '../../ui/status.tsx';
import { useTab } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { sentRequest } from './query-request.ts';

/** The request as it was or would be sent, to read and to copy. */
export function RequestButton() {
  const { request } = words.query;
  return (
    <Popup
      isWide
      heading={request.heading}
      trigger={<Button icon={Braces} isWorded variant="quiet" aria-label={request.open} />}
    >
      {() => <RequestView />}
    </Popup>
  );
}

export function RequestView() {
  const { actions, results } = useTab('query');
  const answer = useStore(results.store, (state) => state.answer);
  const sent = useMemo(() => sentRequest(answer), [answer]);
  const described = useLoaded(
    useCallback((signal) => actions.describe(sent?.asked ?? null, signal), [actions, sent]),
  );
  const { request } = words.query;
  if (described.status === 'failed') return <Failed error={described.error} />;
  if (described.status !== 'loaded') return <Loading what={request.loading} />;
  return (
    <div className="query-request">
      <p className="quiet">{sent ? request.sent(formatDuration(sent.ms)) : request.notSent}</p>
      <RequestParts request={described.value} />
      <CopyButtons copies={described.value.copies} />
    </div>
  );
}

function RequestParts({ request: described }: { request: DescribedRequest }) {
  const { request } = words.query;
  const { method, url, headers, body, copies } = described;
  const variable = copies.curl.includes('WELLBENCH_TOKEN') ? 'WELLBENCH_TOKEN' : 'WELLBENCH_API_KEY';
  return (
    <>
      <RequestPart heading={request.address} text={`${method} ${url}`} />
      <RequestPart
        heading={request.headers}
        text={Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      />
      {body !== null && <RequestPart heading={request.body} text={body} />}
      <p className="field-note">{request.secret(variable)}</p>
    </>
  );
}

function RequestPart({ heading, text }: { heading: string; text: string }) {
  return (
    <section aria-label={heading}>
      <h3 className="part-heading">{heading}</h3>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- long ones scroll, by keyboard too */}
      <pre className="request-text" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

function CopyButtons({ copies }: Pick<DescribedRequest, 'copies'>) {
  const { request } = words.query;
  const [copiedLanguage, setCopied] = useState<CopyLanguage | 'failed' | null>(null);
  return (
    <section aria-label={request.copyAs}>
      <h3 className="part-heading">{request.copyAs}</h3>
      <div className="request-copies">
        {copyLanguages.map((language) => (
          <Button
            key={language}
            icon={copiedLanguage === language ? Check : Copy}
            onPress={() =>
              void copyText(copies[language]).then((isCopied) => setCopied(isCopied ? language : 'failed'))
            }
          >
            {request.languages[language]}
          </Button>
        ))}
      </div>
      <Status className="field-note">
        {copiedLanguage === null
          ? request.shell
          : copiedLanguage === 'failed'
            ? words.notCopied
            : request.copied(request.languages[copiedLanguage])}
      </Status>
    </section>
  );
}

import { Braces, Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { copyLanguages, type CopyLanguage, type DescribedRequest } from '../../../shared/query/query.ts';
import { toAppError } from '../../../shared/errors/errors.ts';
import { formatDuration } from '../../format/times.ts';
import { failed, loaded, loading, type Loadable } from '../../state/loadable.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { Popup } from '../../ui/popup.tsx';
import { Status } from '../../ui/status.tsx';
import { useTab } from '../../contexts.ts';
import { words } from '../../words/words.ts';

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
  const [described, setRequest] = useState<Loadable<DescribedRequest>>(loading);
  const sentRequest = answer.status === 'loaded' ? answer.value : null;
  useEffect(() => {
    const leave = new AbortController();
    actions.describe(sentRequest?.asked ?? null, leave.signal).then(
      (value) => setRequest(loaded(value)),
      (error: unknown) => leave.signal.aborted || setRequest(failed(toAppError(error))),
    );
    return () => leave.abort();
  }, [actions, sentRequest]);
  const { request } = words.query;
  if (described.status === 'failed') return <Failed error={described.error} />;
  if (described.status !== 'loaded') return <Loading what={request.loading} />;
  return (
    <div className="query-request">
      <p className="quiet">{sentRequest ? request.sent(formatDuration(sentRequest.ms)) : request.notSent}</p>
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

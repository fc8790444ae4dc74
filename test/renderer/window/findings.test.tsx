import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { useFindings } from '../../../src/renderer/features/query/editing/findings.tsx';

function Findings({ look }: { look: () => Promise<string> }) {
  return <p>{useFindings(look)}</p>;
}

it('a check that fails leaves no findings of the text before', async () => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const [found, failing] = [async () => 'a problem', () => Promise.reject(new Error('the worker ended'))];
  root.render(<Findings look={found} />);
  await expect.poll(() => place.textContent).toBe('a problem');
  root.render(<Findings look={failing} />);
  await expect.poll(() => place.textContent).toBe('');
  root.unmount();
});

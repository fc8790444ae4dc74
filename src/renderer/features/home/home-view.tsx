import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { ActiveWellsSection } from './active-wells-section.tsx';
import './home.css';

/** The page without tabs: the active wells, and what to do first. */
export default function HomeView() {
  return (
    <KeepFocus className="home">
      <ActiveWellsSection />
      <section className="first-steps">
        <h2>{words.home.emptyHeading}</h2>
        <ol>
          {words.home.emptySteps.map((step, at) => (
            <li key={step}>
              <span className="step-number numbers" aria-hidden>
                {at + 1}
              </span>
              {step}
            </li>
          ))}
        </ol>
        <p className="quiet">{words.home.emptyUpload}</p>
      </section>
    </KeepFocus>
  );
}

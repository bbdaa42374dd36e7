import { lazy, Suspense } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { Redirect, Route, Switch } from 'wouter-preact';
import { startBadge } from './data/badge.ts';
import { startSending } from './data/decisions.ts';
import { startLive } from './data/live.ts';
import { signIn } from './data/sign-in.ts';
import { Home } from './pages/home.tsx';
import { NoPage } from './pages/no-page.tsx';
import { SignedOut } from './pages/signed-out.tsx';
import { Shell } from './shell.tsx';
import { Skeleton } from './ui/states.tsx';

// The first page comes with the first script. The others are loaded when they are opened.
const page = <K extends string>(load: () => Promise<{ [key in K]: () => preact.JSX.Element }>, name: K) =>
  lazy(async () => ({ default: (await load())[name] }));

const Learnings = page(() => import('./pages/learnings.tsx'), 'Learnings');
const Learning = page(() => import('./pages/learning.tsx'), 'Learning');
const Plans = page(() => import('./pages/plans.tsx'), 'Plans');
const Plan = page(() => import('./pages/plan.tsx'), 'Plan');
const Sessions = page(() => import('./pages/sessions.tsx'), 'Sessions');
const Session = page(() => import('./pages/session.tsx'), 'Session');
const Safety = page(() => import('./pages/safety.tsx'), 'Safety');
const Search = page(() => import('./pages/search.tsx'), 'Search');
const Records = page(() => import('./pages/records.tsx'), 'Records');
const RecordsOf = page(() => import('./pages/records.tsx'), 'RecordsOf');
const OneRecord = page(() => import('./pages/record.tsx'), 'OneRecord');
const Nights = page(() => import('./pages/nights.tsx'), 'Nights');
const Metrics = page(() => import('./pages/metrics.tsx'), 'Metrics');
const Devices = page(() => import('./pages/devices.tsx'), 'Devices');
const Console = page(() => import('./pages/console.tsx'), 'Console');
const More = page(() => import('./pages/more.tsx'), 'More');

export function App() {
  useEffect(startLive, []);
  useEffect(startBadge, []);
  useEffect(startSending, []);
  if (signIn.value.state !== 'in') return <SignedOut />;
  return (
    <Shell>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Switch>
          <Route path="/" component={Home} />
          <Route path="/projects/:project" component={Home} />
          <Route path="/learnings" component={Learnings} />
          <Route path="/learnings/:id" component={Learning} />
          <Route path="/plans" component={Plans} />
          <Route path="/plans/:id" component={Plan} />
          <Route path="/sessions" component={Sessions} />
          <Route path="/sessions/:id" component={Session} />
          <Route path="/safety" component={Safety} />
          <Route path="/search" component={Search} />
          <Route path="/records" component={Records} />
          <Route path="/records/:kind" component={RecordsOf} />
          <Route path="/records/:kind/:id" component={OneRecord} />
          <Route path="/nights" component={Nights} />
          <Route path="/metrics" component={Metrics} />
          <Route path="/devices" component={Devices} />
          <Route path="/console" component={Console} />
          <Route path="/more" component={More} />
          {/* what an address says that somebody types from what the page calls it */}
          <Route path="/lessons/*?">
            {({ '*': rest = '' }) => (
              <Redirect to={`/learnings${rest && `/${rest}`}${location.search}`} replace />
            )}
          </Route>
          <Route component={NoPage} />
        </Switch>
      </Suspense>
    </Shell>
  );
}

import { lazy, Suspense } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { Redirect, Route, Switch } from 'wouter-preact';
import { startBadge } from './data/dashboard.ts';
import { startLive } from './data/live.ts';
import { signIn } from './data/sign-in.ts';
import { Now } from './pages/now.tsx';
import { SignedOut } from './pages/signed-out.tsx';
import { Shell } from './shell.tsx';
import { startShortcuts } from './ui/shortcuts.ts';
import { Skeleton } from './ui/states.tsx';

// The first page comes with the first script. The others are loaded when they are opened.
const ProjectPage = lazy(async () => (await import('./pages/project.tsx')).ProjectPage);
const Safety = lazy(async () => (await import('./pages/safety.tsx')).Safety);
const Records = lazy(async () => (await import('./records/list.tsx')).Records);
const RecordsOf = lazy(async () => (await import('./records/list.tsx')).RecordsOf);
const OneRecord = lazy(async () => (await import('./records/one.tsx')).OneRecord);
const Metrics = lazy(async () => (await import('./pages/metrics.tsx')).Metrics);
const Devices = lazy(async () => (await import('./pages/devices.tsx')).Devices);
const Console = lazy(async () => (await import('./pages/console.tsx')).Console);
const More = lazy(async () => (await import('./pages/more.tsx')).More);
const NoPage = lazy(async () => (await import('./pages/more.tsx')).NoPage);

/** The kinds of records that have an address of their own. */
const KINDS = { learnings: 'learning', plans: 'plan', sessions: 'session', nights: 'night', search: 'found' };

export function App() {
  useEffect(startLive, []);
  useEffect(startBadge, []);
  useEffect(startShortcuts, []);
  if (signIn.value.state !== 'in') return <SignedOut />;
  return (
    <Shell>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Switch>
          <Route path="/" component={Now} />
          <Route path="/projects/:project" component={ProjectPage} />
          {Object.entries(KINDS).map(([path, kind]) => [
            <Route key={path} path={`/${path}`}>
              <RecordsOf key={kind} kind={kind} />
            </Route>,
            <Route key={`${path}/`} path={`/${path}/:id`}>
              <OneRecord key={kind} kind={kind} />
            </Route>,
          ])}
          <Route path="/records" component={Records} />
          <Route path="/records/:kind">
            <RecordsOf />
          </Route>
          <Route path="/records/:kind/:id">
            <OneRecord />
          </Route>
          <Route path="/safety" component={Safety} />
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
          <Route>{() => <NoPage />}</Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}

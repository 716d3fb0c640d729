/** One meaning a line; the words of a line stand for it equally well. */
const meanings = (lines: string): string[][] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.split(',').map((term) => term.trim()));

/** Things one does. */
export const DOING = meanings(`
restart, reboot, bounce, relaunch, power cycle, kick, cycle, restarts, turn off and on, off and on again
reload, hup, sighup, re read
start, launch, boot, bring up, spin up, fire up, turn on, switch on, power on, start up, boot up, begin, kick off, trigger, initiate
stop, halt, shut down, shutdown, turn off, switch off, power off, power down, bring down, shut off, pause, freeze, interrupt, cease, quit, resign, suspend it, put a stop, bring to a halt
kill, terminate, pkill, kill off, sigkill, end, close out
enable, activate
disable, deactivate, lock, lock out, take away access, switch it off
install, set up, setup, apt install, apt get install, yum install, npm install, pip install, put in place, establish
uninstall, apt remove
upgrade, update, patch, bump
rollback, roll back, rolling back, revert, undo, back out, rollout undo, git revert, previous version, previous release, last good version, last known good, go back to, going back to, unroll, downgrade, put back, switch back, reinstate, back to the old, old version, older version, earlier version, prior version, former version, old release, prior release, return to, backtrack, step back, unship, undeploy, back to the version, back to the release
deploy, deployment, deployments, release, ship, roll out, rollout, push live, go live, push to production, put live, put into production, bring live, make live, publish it
build, compile, builds
test, tests, testing, test suite, unit test, pytest, jest, try out, try it out, try out on, tested
scale, scale up, scale out, add capacity, more capacity, more instances, add instances, more replicas, add replicas
increase, raise, enlarge, extend, grow, expand, widen, more, add more, bigger, larger, resize, upsize, crank up, beef up, boost, additional, extra, make bigger
configure, adjust, tweak, reconfigure, tune
change, modify, edit, alter, overwrite, amend
fix, repair, correct, mend, resolve, solve, hotfix, hot fix, bugfix, bug fix, remedy, heal, sort out, fixing
delete, remove, rm, erase, drop, get rid of, unlink, dump it, throw away, throw out, discard, trash, nuke, eliminate, axe, bin it, ditch, destroy, take out, toss, strip out, scrub
clean, clean up, cleanup, clear, purge, prune, free up, free, vacuum, tidy up, clear out, clear up, tidy, empty, shrink
copy, cp, clone, scp, rsync
move, mv, relocate, shift, transfer it
rotate, logrotate, roll over
compress, gzip, zip, archive, zip up, squeeze
create, make, add, mkdir, touch, generate, write, draft, compose, prepare, draw up, put together, produce, set down, introduce, build a, invent, formulate, come up with
backup, back up, snapshot, dump, pg_dump, mysqldump, take a backup, safety copy, save point, restore point, backups
restore, recover, bring back, pg_restore, recovery, get back up
migrate, migration, move over, port over, transfer, migrating
replicate, replication, replica, standby, secondary
failover, fail over, switch over, switchover, promote
drain, take out of rotation, remove from the load balancer, out of rotation
block, deny, ban, firewall off, blacklist, blocklist, black list, block list, deny list, denylist, filter out, bar
allow, permit, whitelist, allowlist, open up
isolate, quarantine, disconnect, unplug, take offline, cut off, segregate, contain, air gap
revoke, invalidate, expire, cancel, withdraw, rescind, annul, nullify
reset, set again
encrypt, encryption
limit, throttle, rate limit, cap, restrict
optimize, optimise, speed up, make faster, improve performance, speed it up
index, create index, add index
retry, try again, rerun, re run, run again, redo, once again, repeat, do over
wait, hold on, do nothing, sit tight, hold off, sleep, stand by, sit back, relax, chill, be patient, wait and see, take a break, sit and wait, wait it out, hang on
reproduce, repro, replicate the problem, recreate the problem, recreate, provoke, re create
save, keep, preserve, secure, retain, store, capture, stash
submit, send, upload, hand in, transmit, send off, submitting, hand over to, dispatch, deliver
calculate, compute, recalculate, recompute, re calculate, work out the, calculation
skip, leave out, omit, drop out, bypass
wipe, reimage, reinstall, format, re image, reinstalling, factory reset, set up from scratch, start fresh
automate, automatic, automatically, automation, automated
assign, delegate, hand over, give the task, appoint, entrust, put in charge
prioritize, prioritise, rank, triage, order by importance
agree, decide, settle, choose, pick, come to an agreement, agreement, fix a, make a decision, decision, reach an agreement
plan, strategy, approach, roadmap, plan for, planning
approve, sign off, accept, approval, green light, signature, sign, countersign, authorize, authorise, signoff, release it, give the ok, okay it, thumbs up
buy, purchase, procure, acquire, get a license for
train, training, teach, educate, awareness
click, visit
force, compel, make everyone, oblige, impose
`);

/** Ways of looking. */
export const LOOKING = meanings(`
check, inspect, look at, look into, look, view, see, show, read, examine, review, cat, tail, less, print, display, get, describe, grep, list, select, ls, analyze, analyse, study, pull up, investigate, dig into, find out, look through, look over, go through, go over, have a look, take a look, peek, scan through, scroll, skim, browse, check on, check out, checking, explore, dig, dig through, go into, examine the, figure out, understand, learn, discover, determine, identify, know, glance, research, diagnose, audit, survey, assess, evaluate, consult the, ssh, head to, log into, log in to, take a peek, take a closer look, have a closer look, eyeball, take stock, query the, lookup, look up
verify, confirm, validate, double check, make sure, ensure, sanity check, prove, doublecheck, recheck, re check, crosscheck, cross check, make certain, see to it, test whether, test if, assure
monitor, watch, observe, keep an eye on, track, look out for, keep watching, keep watch
search, find, look for, locate, hunt, seek, hunt for, spot, hunt down, track down
compare, diff, git diff, contrast, reconcile, match up, differ, difference, differences, set against, put side by side, side by side, different, comparison
measure, profile, benchmark, explain analyze, explain, quantify, time how long, take the time
ping, curl, probe, health check, healthcheck, smoke test
count, number of, how many, how often, tally, add up the number
`);

/** Ways of talking to people. */
export const TALKING = meanings(`
tell, inform, warn, post, write to, alert people, notify, let know, communicate, announce, report, escalate, update stakeholders, send a message, give a heads up, heads up, post an update, brief, inform about, let them know, keep informed, keep posted, keep in the loop, loop in, bring up to speed, say, say to, drop a line, drop a note, send a note, give notice, raise awareness, spread the word, message to, text, send word, reply, respond, fill in on, advise, caution, send out
call, phone, ring, dial, telephone, ring up, give a call, give a ring, call up, phone up, page, get on the phone, get on the line, on the phone
ask, listen, hear, question, interview, talk to, speak to, speak with, talk with, consult, contact, reach out, discuss, talk, speak, chat, chat with, talk about, get hold of, check with, reach out to, discuss with, have a word, have a chat, have a conversation, sit down with, meet with, get input, get feedback, approach the, inquire, enquire, turn to, get in touch, touch base, hear out, talk it over, conversation with, request, invite the opinion
apologize, apologise, say sorry, apology, apologies
propose, suggest, recommend, offer
promise, guarantee, assure them, pledge, swear, commit to, give my word, vow, give a commitment
thank, thank you to, praise, say thanks, compliment
blame, tell off, scold, shout at, yell at, yell, shout, punish, reprimand, lecture, berate, rebuke, call out, chew out, accuse, shame, humiliate, snap at, rant, point the finger, reproach, discipline, fire, sack, dismiss, insult
calm, calm down, reassure, comfort, soothe, put at ease
`);

/** What there is, and who. */
const THINGS = meanings(`
configuration, config, settings, conf, config file, setting
pipeline, ci, ci cd, continuous integration
cache, caching, redis, memcached
log, logs, logfile, log file, log files, journal, journalctl, syslog, logging, log entries, log output
metric, metrics, graph, graphs, dashboard, dashboards, grafana, charts, monitoring, chart, kibana, prometheus, datadog, statistics, stats, new relic, curves, telemetry, trend, trends
alert, alerts, alarm, alarms, pager, warning, alerting, notification, warnings, pagerduty
disk, disk space, storage, disk usage, filesystem, file system, volume, df, du, partition, hard drive, drive, disks, space, hard disk, hdd, ssd, disc
memory, ram, heap, oom
cpu, processor, load, top, htop, cpu usage, cpu load
network, connection, connectivity, networking
database, db, postgres, postgresql, mysql, sql server, psql, databases, database server, postgre, pg, dbs, db server
query, queries, sql, statement, sql query, statements, select statement
table, tables, schema
web server, webserver, nginx, apache, httpd, http server
load balancer, lb, haproxy, elb, alb, loadbalancer
website, site, web site, homepage, home page, web page, webpage
application, app, backend, back end, service, program, software
server, servers, machine, host, node, vm, box, instance
container, containers, docker, pod, pods
queue, queues, backlog, message queue, rabbitmq, kafka
worker, workers, consumer, consumers, job runner
user, users, account, accounts
customer, customers, client, clients, buyer, buyers, shopper, shoppers
password, passwords, credential, credentials, passphrase, login details, pw, passwd, pwd, pass word, login data
session, sessions, token, tokens, cookie, cookies
key, keys, api key, api keys, secret, secrets, access key
certificate, cert, certs, certificates, tls, ssl, https certificate
email, mail, e mail, message, emails, mails
attachment, attached file, attached document
phishing, phish, scam, fake mail, fake email, suspicious mail, suspicious email
malware, virus, trojan, ransomware, antivirus, malicious software, viruses, spyware, virus scan, infection, infected, anti virus, keylogger
firewall, iptables, ufw, security group
mfa, 2fa, two factor, multi factor, second factor, authenticator, two factor authentication, multi factor authentication, second device, mfa device, authenticator app, mfa devices, authentication device, authentication app, otp
branch, git branch, feature branch
commit, commits, git log, changelog, change log, recent changes, what changed, release notes
bug, defect, error, errors, fault, exception, stack trace, stacktrace, traceback, failure, failures, crash, crashes
incident, outage, downtime, disruption
ticket, issue, jira, case
feature flag, feature toggle, flag, toggle, feature switch
production, prod, live system, live environment
staging, test environment, preproduction, pre production, sandbox environment, test system, staging environment, staging server, test server, stage, uat
document, documentation, docs, write up, write down, runbook, wiki, note down, put down, put in writing, record the, jot down, take notes, put on paper
requirement, requirements, specification, spec, specs, acceptance criteria
deadline, due date, timeline, schedule
cost, price, budget, expense
risk, risks, risk assessment
team, colleagues, coworkers, co workers, everyone, everybody, people, folks here, others in the team, teammates, team mates, crew, the guys
staff, employees, personnel, workforce, all employees, all staff, all colleagues, whole company, entire company, all hands, employee
manager, boss, lead, management, team lead, supervisor, superior, higher ups, bosses
security team, soc, security, infosec, incident response
support, helpdesk, help desk, service desk, support team, support desk, customer service, customer support, hotline team
developer, developers, engineer, engineers, dev, devs, programmer, coder
dba, database administrator, database admin
stakeholder, stakeholders, business, product owner, sponsor
legal, lawyer, lawyers, compliance, privacy officer, dpo
vendor, supplier, provider, third party
meeting, call a meeting, workshop, standup, stand up, sync, conference, gathering, get together, all hands meeting
status page, statuspage, public status, banner
postmortem, post mortem, retrospective, retro, incident review, lessons learned, root cause analysis, rca, review meeting, after action review
root cause, cause, culprit, origin of the, reason for, responsible for it
`);

/**
 * Words that mean the same in the working language of IT. A scenario adds its own meanings, or widens these by naming
 * one of their words. No term stands in two lines: meanings that share one would become one.
 */
export const IT_DICTIONARY: readonly (readonly string[])[] = [...DOING, ...LOOKING, ...TALKING, ...THINGS];

/** What some actions mean besides, by their stem. What is meant shows in the words beside them. */
export const FURTHER_MEANINGS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    updat: ['tell', 'change', 'deploy'],
    open: ['create', 'start', 'check'],
    put: ['create', 'move'],
    end: ['stop'],
    block: ['disable'],
    disabl: ['block', 'stop'],
    cancel: ['stop', 'delete'],
    clear: ['delete'],
    purg: ['delete'],
    wipe: ['delete'],
    messag: ['tell'],
    email: ['tell'],
    mail: ['tell'],
    slack: ['tell'],
    ping: ['tell'],
    page: ['tell'],
    call: ['tell'],
    phone: ['tell'],
    contact: ['tell'],
    alert: ['tell'],
    talk: ['tell'],
    speak: ['tell'],
    patch: ['fix'],
    verifi: ['check'],
    check: ['verify'],
    see: ['verify'],
    look: ['verify'],
    confirm: ['check'],
    doublecheck: ['check'],
    recheck: ['check', 'verify'],
    monitor: ['check'],
    watch: ['check'],
    observ: ['check'],
    find: ['check'],
    search: ['check'],
    compar: ['check'],
    diff: ['check'],
    count: ['check'],
    measur: ['check'],
    review: ['check'],
    make: ['create'],
    establish: ['create'],
    setup: ['create', 'configure'],
    'set up': ['create', 'configure', 'change'],
    'throw out': ['delete', 'stop'],
    'kick out': ['delete', 'stop'],
    'call up': ['tell'],
    'write up': ['create'],
    'write down': ['create'],
    activ: ['start'],
    revok: ['stop', 'delete'],
    lock: ['block'],
    suspend: ['disable'],
    kill: ['stop'],
    termin: ['stop'],
    kick: ['delete', 'stop'],
    throw: ['delete'],
    freez: ['disable'],
    paus: ['disable'],
    reset: ['change'],
    renew: ['change', 'reset', 'create'],
    replac: ['change'],
    swap: ['change'],
    set: ['change', 'create', 'configure'],
    enlarg: ['scale'],
    increas: ['scale'],
    write: ['document'],
    note: ['document'],
    document: ['create'],
    record: ['document', 'save'],
    draft: ['document'],
    agre: ['plan'],
    schedul: ['plan', 'decide'],
    arrang: ['plan'],
    organ: ['plan', 'create'],
    defin: ['agree', 'create'],
    present: ['show', 'tell'],
    pitch: ['show', 'tell', 'present'],
    show: ['tell'],
    explain: ['tell'],
    thank: ['tell'],
    practic: ['test', 'rehearse'],
    practis: ['test', 'rehearse'],
    simul: ['test', 'rehearse'],
    commun: ['document'],
    transfer: ['submit', 'move'],
    export: ['create', 'save', 'copy'],
    download: ['save', 'copy'],
    undo: ['cancel'],
    revers: ['cancel', 'undo'],
    turn: ['change'],
    fail: ['error'],
    broken: ['error'],
  }),
);

/** Actions that begin, carry out or wish for another one: the next word says what is meant. */
export const LIGHT_WORDS = new Set(
  (
    'start begin launch trigger initiate kick do make take give put get run perform carry conduct execute proceed continue ' +
    'help handle create write set add try use have go plan prepare complete finish need want let keep ' +
    'select find sort work take bring deal check save post open hold send new more'
  ).split(' '),
);

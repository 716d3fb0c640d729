/**
 * Words that mean the same in IT, a meaning a line; a term with `~` also means itself, and only where a
 * learner says it.
 */
const meanings = (lines: string): string[][] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.split(', '));

export const DOING = meanings(`
restart, reboot, bounce, relaunch, power cycle, kick, cycle
reload, hup, sighup, re read
start, launch, boot, bring up, spin up, fire up, turn on, switch on, power on, begin, kick off, trigger, initiate, ~open, ~activate
stop, halt, shut down, shutdown, turn off, switch off, power off, power down, bring down, shut off, pause, freeze, interrupt, cease, quit, resign, ~end, ~disable, ~cancel, ~throw out, ~kick out, ~revoke, ~kill, ~terminate, ~kick
kill, terminate, pkill, sigkill, end
enable, activate
disable, deactivate, lock, take away access, ~block, ~suspend, ~freeze, ~pause
install, set up, setup, put in place, establish
uninstall
upgrade, update, patch, bump
rollback, roll back, revert, undo, back out, rollout undo, git revert, previous version, previous release, last good version, go back to, unroll, downgrade, put back, switch back, reinstate, old version, earlier version, old release, prior release, return to, go back, backtrack, step back, unship, undeploy, ~reverse
deploy, deployment, redeploy, release, ship, roll out, rollout, push live, go live, push to production, put into production, ~update
build, compile
test, pytest, jest, try out
scale, add capacity, more capacity, more instances, add instances, more replicas, add replicas, ~enlarge, ~increase
increase, raise, double, enlarge, extend, grow, expand, widen, more, add more, bigger, larger, resize, upsize, boost, additional, extra, make bigger
configure, adjust, tweak, reconfigure, tune, ~setup, ~set up, ~set
change, modify, edit, alter, overwrite, amend, ~update, ~set up, ~reset, ~renew, ~replace, ~swap, ~set, ~turn
fix, repair, correct, mend, resolve, solve, hotfix, bugfix, remedy, heal, sort out, ~patch
delete, remove, rm, erase, drop, get rid of, unlink, dump it, throw away, throw out, discard, trash, nuke, eliminate, axe, ditch, destroy, take out, toss, scrub, ~cancel, ~clear, ~purge, ~wipe, ~kick out, ~revoke, ~kick, ~throw
clean, cleanup, clear, purge, prune, free, vacuum, tidy, empty, shrink
copy, cp, clone, scp, rsync, ~export, ~download
move, mv, relocate, shift, ~put, ~transfer
rotate, logrotate, roll over
compress, gzip, zip, archive, squeeze
create, make, add, mkdir, touch, generate, write, draft, compose, prepare, draw up, put together, produce, introduce, invent, formulate, come up with, ~open, ~put, ~establish, ~setup, ~set up, ~renew, ~set, ~document, ~organise, ~define, ~export
backup, back up, snapshot, dump, pg_dump, mysqldump, restore point
restore, recover, bring back, pg_restore, recovery
migrate, move over, port over, transfer
replicate, replica, standby, secondary
failover, fail over, switch over, switchover, promote
drain, out of rotation
block, deny, ban, firewall off, blacklist, blocklist, denylist, filter out, bar, ~disable, ~lock
allow, permit, whitelist, allowlist, open up
isolate, quarantine, disconnect, unplug, take offline, cut off, segregate, contain, air gap
revoke, invalidate, expire, cancel, withdraw, rescind, annul, nullify, ~undo, ~reverse
reset, set again, ~renew
encrypt
limit, throttle, rate limit, cap, restrict
optimize, optimise, speed up, make faster
index, create index, add index
retry, try again, rerun, re run, run again, redo, once again, repeat
wait, hold on, do nothing, sleep, stand by, be patient, wait and see, hang on
reproduce, repro, recreate, provoke
save, keep, preserve, secure, retain, store, capture, stash, ~record, ~export, ~download
submit, send, upload, hand in, transmit, hand over to, dispatch, deliver, ~transfer
calculate, compute, recalculate, recompute, re calculate
skip, leave out, omit, bypass
wipe, reimage, reinstall, format, factory reset, start fresh
automate, automatic
assign, delegate, hand over, appoint, entrust, put in charge
prioritize, prioritise, rank, triage
agree, decide, settle, choose, pick, agreement, make a decision, decision, reach an agreement, ~schedule, ~define
plan, strategy, approach, roadmap, plan for, ~agree, ~schedule, ~arrang, ~organise
approve, sign off, accept, green light, signature, sign, countersign, authorize, authorise, signoff, release it, give the ok, thumbs up
buy, purchase, procure, acquire
train, teach, educate, awareness
click, visit
force, compel, oblige, impose
reduce, decrease, lower, scale down, scale in, fewer, smaller, ~shrink
rehearse, ~practice, ~practise, ~simulate, ~dry run
`);

export const LOOKING = meanings(`
check, inspect, look into, look, view, see, show, read, examine, review, cat, tail, less, print, display, ~get, describe, grep, list, ~select, ls, analyze, analyse, study, pull up, investigate, find out, go through, go over, have a look, take a look, peek, scan through, scroll, skim, browse, explore, dig, go into, figure out, ~understand, ~learn, discover, determine, identify, ~know, glance, research, diagnose, audit, survey, assess, evaluate, ssh, head to, log into, log in to, eyeball, lookup, ~open, ~verify, ~confirm, ~doublecheck, ~recheck, ~monitor, ~watch, ~observe, ~find, ~search, ~compare, ~diff, ~count, ~measure, ~present, ~pitch
verify, confirm, validate, double check, make sure, ensure, sanity check, prove, doublecheck, recheck, re check, crosscheck, cross check, make certain, see to it, test whether, test if, assure, ~check, ~see, ~look
monitor, watch, observe, track, look out for
search, find, look for, locate, hunt, seek, spot, track down
compare, diff, git diff, contrast, reconcile, differ, set against, side by side, comparison
measure, profile, benchmark, explain, quantify
ping, curl, probe, health check, healthcheck, smoke test
count, number of, how many, how often, tally
`);

export const TALKING = meanings(`
tell, inform, warn, post, write to, notify, let know, communicate, announce, report, escalate, update stakeholders, send a message, heads up, post an update, brief, keep informed, loop in, say, drop a line, drop a note, send a note, give notice, raise awareness, spread the word, message to, text, send word, reply, respond, advise, caution, send out, ~update, ~message, ~email, ~mail, ~slack, ~ping, ~page, ~call, ~phone, ~contact, ~alert, ~talk, ~speak, ~reach out to, ~present, ~pitch, ~show, ~explain, ~thank
call, phone, ring, wake, dial, telephone, give a call, page
ask, listen, hear, question, interview, consult, contact, reach out, discuss, talk, speak, chat, get hold of, check with, have a word, have a chat, have a conversation, sit down with, get feedback, inquire, enquire, turn to, get in touch, conversation with, request
apologize, apologise, say sorry
propose, suggest, recommend, offer
promise, guarantee, pledge, swear, commit to, vow
thank, praise, say thanks, compliment
blame, tell off, scold, yell, shout, punish, reprimand, lecture, berate, rebuke, call out, accuse, shame, humiliate, rant, reproach, discipline, fire, sack, dismiss, insult
calm, reassure, comfort, soothe, put at ease
`);

export const THINGS = meanings(`
configuration, config, settings, conf, config file
pipeline, ci, continuous integration
cache, redis, memcached
log, logfile, log file, journal, journalctl, syslog
metric, graph, dashboard, grafana, charts, monitoring, kibana, prometheus, datadog, statistics, stats, new relic, curves, telemetry, trend
alert, alarm, pager, warning, notification, warnings, pagerduty
disk, disk space, storage, disk usage, filesystem, file system, volume, df, du, partition, hard drive, drive, space, hard disk, hdd, ssd, disc
memory, ram, heap, oom
cpu, processor, load, top, htop
network, connection
database, db, postgres, postgresql, mysql, sql server, psql, database server, pg, db server
query, sql, statement, sql query
table, schema
web server, webserver, nginx, apache, httpd, http server
load balancer, lb, haproxy, elb, alb, loadbalancer
website, site, homepage, web page, webpage
application, app, backend, back end, service, program, software
server, machine, host, node, vm, box, instance
container, containers, docker, pod
queue, backlog, message queue, rabbitmq, kafka
worker, consumer, job runner
user, account
customer, client, buyer, shopper
password, credential, passphrase, login details, pw, passwd, pwd, login data
session, token, cookie
key, api key, secret, access key
certificate, cert, tls, ssl
email, mail, e mail, message
attachment
phishing, scam, fake mail, suspicious mail
malware, virus, trojan, ransomware, antivirus, spyware, infection, keylogger
firewall, iptables, ufw, security group
mfa, 2fa, two factor, multi factor, second factor, authenticator, two factor authentication, second device, otp
branch, git branch, feature branch
commit, git log, changelog, change log, recent changes, what changed, release notes
bug, defect, error, fault, exception, stack trace, stacktrace, traceback, failure, crash, ~fail, ~broken
incident, outage, downtime, disruption
ticket, issue, jira, case
feature flag, feature toggle, flag, toggle, feature switch
production, prod, live system, live environment
staging, test environment, preproduction, pre production, test system, staging environment, staging server, test server, uat
document, docs, write up, write down, runbook, wiki, note down, put down, put in writing, take notes, ~write, ~note, ~record, ~draft, ~communicate
requirement, specification, spec, acceptance criteria
deadline, due date, timeline, schedule
cost, price, budget, expense
risk
team, colleagues, coworkers, everyone, everybody, people, teammates, crew, the guys
staff, employees, personnel, workforce, all employees, all staff, all colleagues, whole company, all hands
manager, boss, lead, team lead, supervisor, superior
security team, soc, security, infosec, incident response
support, helpdesk, help desk, service desk, support team, support desk, customer service, customer support
developer, engineer, dev, programmer, coder
dba, database administrator, database admin
stakeholder, business, product owner, sponsor
legal, lawyer, compliance, privacy officer, dpo
vendor, supplier, provider, third party
meeting, call a meeting, workshop, standup, sync, conference, gathering, get together
status page, statuspage, public status, banner
postmortem, post mortem, retrospective, retro, incident review, lessons learned, root cause analysis, rca, review meeting
manual, by hand
root cause, cause, culprit, reason for, responsible for it
`);

-- Returns the words by which a text says that something has changed, and how near (cosine) an older text must be to
-- count as what changed. Words that announce an amendment need a lower cosine than words that are common in any report.
-- Returns nothing when the text has no such words (any rule may begin with “From now on”). English only. Thresholds
-- measured, see docs/search.md.
create or replace function amendment_words(body text, out words text, out least_alike float8)
language plpgsql immutable parallel safe as $$
begin
  body := replace(body, 'From now on', '');
  words := substring(body, '(?i)\m(amend(?:s|ed|ments?)?|no longer|not any ?more|anymore|no more|instead of|'
    || 'in place of|supersed\w+|supplant\w+|overturn\w*|revers(?:es?|ed)|revis(?:es?|ed)|replac(?:es|ed)|'
    || 'update (?:to|of|on)|from now on|from today|until now|used to|formerly|previously|retired|abolish\w*|scrapped|'
    || 'decommissioned|uninstalled|taken out|torn down|shut (?:off|down)|turned off|switched (?:to|from|over|off)|'
    || 'moved (?:to|from|over|away)|migrated|go(?:es)? back on|'
    || '(?:we|was|were|is|has been|have been) (?:changed|raised|lowered|increased|decreased|reduced|tightened|relaxed|'
    || 'extended|shortened|doubled|halved|dropped|removed|dissolved))\M');
  least_alike := 0.45;
  if words is null then
    words := substring(body, '(?i)\m(since|now|replacing|switch(?:ed|es)|changed?|raised|lowered|increased|decreased|'
      || 'reduced|tightened|relaxed|extended|shortened|doubled|halved|shrank|cut (?:to|from)|went (?:up|down)|bumped|'
      || 'lifted|upgraded|updated|corrected|correction|deprecat\w+|abandon\w*|dropped|removed|obsolete|outdated|'
      || 'amending|revision|retire|new (?:rule|policy|limit|standard|default)|as of|back to|after all|frozen|'
      || 'gone|deleted|archived|again)\M');
    least_alike := case when words is not null then 0.6 end;
  end if;
end $$;

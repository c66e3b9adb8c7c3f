// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Member;
import io.hycache.core.directory.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message View   { int64 reportedMillis = 1; repeated Member members = 2; }
 * message Member { string id = 1; string address = 2; }
 */
/** A view as the fields of a message; an instance holds those of one that is being read. */
final class ViewCodec implements FieldReader.Fields {
  private static final int MAX_MEMBERS = 100_000;

  private long reportedMillis;
  private final List<Member> members = new ArrayList<>();

  static void write(FieldWriter out, View view) {
    out.number(1, view.reportedMillis()).all(2, view.members(), MemberFields::write);
  }

  /** The view that was read. */
  View view() {
    return new View(reportedMillis, members);
  }

  @Override
  public boolean read(int field, CodedInputStream in) throws IOException {
    switch (field) {
      case 1:
        reportedMillis = in.readInt64();
        return true;
      case 2:
        FieldReader.add(members, MemberFields.read(in), MAX_MEMBERS);
        return true;
      default:
        return false;
    }
  }

  private static final class MemberFields implements FieldReader.Fields {
    private String id = "";
    private String address = "";

    static void write(FieldWriter out, Member member) {
      out.text(1, member.id()).text(2, member.address());
    }

    static Member read(CodedInputStream in) throws IOException {
      MemberFields f = new MemberFields();
      FieldReader.nested(in, f);
      return new Member(f.id, f.address);
    }

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          id = FieldReader.name(in);
          return true;
        case 2:
          address = FieldReader.name(in);
          return true;
        default:
          return false;
      }
    }
  }
}
